/** Values and cells as people read them. Pure. */
import type { Cells, Feature, Instance, Model, Value } from "./api.ts";

/** A raw value in the words of its feature. */
export function shown(feature: Feature | undefined, value: Value): string {
  if (feature?.kind === "boolean") return feature.values[Number(value)]?.text ?? String(value);
  if (value === null) return "missing";
  if (value === "<other>") return "any other";
  return typeof value === "number" ? numberText(value) : String(value);
}

/** At most 6 digits after the point; never an exponent that surprises. */
export function numberText(value: number): string {
  return Math.abs(value) >= 1e15 ? String(value) : String(Number(value.toFixed(6)) || value);
}

/** What a cell says of its feature: `> 65.5`, `in (25, 40]`, `missing`. */
export function cellText(feature: Feature, { says, text }: { says: string; text: string }): string {
  if (feature.kind !== "numeric") return plainText(text);
  if (!says.startsWith(`${feature.name} `)) return plainText(intervalText(text));
  return plainText(intervalText(says.slice(feature.name.length + 1).replace(/^= /, "")));
}

function plainText(text: string): string {
  return text === "<missing>" ? "missing" : text === "<other>" ? "any other" : text;
}

/** Intervals of numbers in fewer signs: `(25.5, inf), <missing>` as `> 25.5 or missing`. */
export function intervalText(text: string): string {
  return text
    .replace(/^in /, "")
    .replace("(-inf, inf)", "any number")
    .replace(/\(-inf, ([^)\]]+)([)\]])/g, (_, end, sign) => `${sign === "]" ? "<=" : "<"} ${end}`)
    .replace(/([(\[])([^,]+), inf\)/g, (_, sign, end) => `${sign === "[" ? ">=" : ">"} ${end}`)
    .replaceAll("<missing>", "missing")
    .replace(/, (?=[<>m([])/g, " or ");
}

/** Which cell each value is in, as far as the model and any answers so far say; of other cases, too. */
export function cellsOf({ features }: Model, instance: Instance, answers: (Cells | null)[]): (number | null)[] {
  return features.map((feature, i) => {
    const value = instance[feature.name] ?? null;
    const told = answers.find((answer) => answer && (answer.instance[feature.name] ?? null) === value);
    return told ? (told.cells[i] ?? null) : (feature.values.find((cell) => cell.raw === value)?.cell ?? null);
  });
}

export interface Placed {
  instance: Instance;
  cells: (number | null)[];
}

/** The features whose cell differs between two cases; where a cell is not known, whose value does. */
export function differing({ features }: Model, a: Placed, b: Placed): Set<string> {
  const differs = (name: string, i: number) => {
    const [one, other] = [a.cells[i] ?? null, b.cells[i] ?? null];
    return one === null || other === null ? a.instance[name] !== b.instance[name] : one !== other;
  };
  return new Set(features.flatMap(({ name }, i) => (differs(name, i) ? [name] : [])));
}

/** The number that a text says; a sentence on what is wrong where it says none, or not surely which. */
export function numberIn(typed: string): number | string {
  const text = typed.trim().replace("\u2212", "-");
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text))
    return `“${text}” can be read as two numbers. Write ${text.replaceAll(",", "")} without a comma.`;
  const plain = text.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return `“${clipped(text)}” is not a number. Write it like 12 or 12.5.`;
  const number = Number(plain);
  return Number.isFinite(number) ? number : `“${clipped(text)}” is too large.`;
}

const clipped = (text: string) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);

/** What is wrong with a text as the number of a row; "" if there is that row. */
export function wrongRow(typed: string, rows: number): string {
  const text = typed.trim();
  if (/^\d+$/.test(text) && Number(text) < rows) return "";
  const there = rows === 0 ? "your data has no rows" : `your data has ${counted(rows, "row")}, numbered 0 to ${(rows - 1).toLocaleString("en")}`;
  return `There is no row “${clipped(text)}”: ${there}.`;
}

/** 1 node, 2 nodes. */
export function counted(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/** A whole number given as decimal text: grouped, or as a power of ten where it is long. */
export function countText(digits: string): string {
  if (digits.length > 15) return `${digits[0]}.${digits.slice(1, 3)} × 10^${digits.length - 1}`;
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

export function percent(share: number): string {
  const per = share * 100;
  return `${per > 0 && per < 1 ? "<1" : per < 100 && per > 99 ? ">99" : Math.round(per)} %`;
}

export function labelText(model: Model, label: Value): string {
  const at = model.labels.indexOf(label);
  return model.label_texts[at] ?? String(label);
}
