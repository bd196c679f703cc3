/** Values and cells as people read them. Pure. */
import type { Decision, Feature, Model, Value } from "./api.ts";

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

/** Which cell each value is in, as far as the model and the answers so far say. */
export function cellOf(feature: Feature, index: number, value: Value, answers: (Decision | null)[]): number | null {
  for (const answer of answers)
    if (answer && answer.instance[feature.name] === value) return answer.cells[index] ?? null;
  return feature.values.find((cell) => cell.raw === value)?.cell ?? null;
}

/** The features whose cell differs between two decisions. */
export function differing(model: Model, a: Decision | null, b: Decision | null): Set<string> {
  if (!a || !b) return new Set();
  return new Set(model.features.flatMap(({ name }, i) => (a.cells[i] === b.cells[i] ? [] : [name])));
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
