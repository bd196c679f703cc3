/** Values, cells, counts and shares as text. Pure. */
import type { CellValue, Feature, Model, Value } from "./api/schemas.ts";

/** A raw value in the words of its feature. */
export function valueText(feature: Feature | undefined, value: Value): string {
  if (feature?.kind === "boolean") return feature.values[Number(value)]?.text ?? String(value);
  if (value === null) return "missing";
  if (value === "<other>") return "any other";
  return typeof value === "number" ? numberText(value) : String(value);
}

/** At most 6 decimals, and no exponent below 10^15. */
function numberText(value: number): string {
  return Math.abs(value) >= 1e15 ? String(value) : String(Number(value.toFixed(6)) || value);
}

/** A cell without the name of its feature: `> 65.5`, `(25, 40]`, `missing`. */
export function cellText(feature: Feature, { says, text }: Pick<CellValue, "says" | "text">): string {
  if (feature.kind !== "numeric") return specialText(text);
  if (!says.startsWith(`${feature.name} `)) return specialText(intervalText(text));
  return specialText(intervalText(says.slice(feature.name.length + 1).replace(/^= /, "")));
}

function specialText(text: string): string {
  return text === "<missing>" ? "missing" : text === "<other>" ? "any other" : text;
}

/** Intervals as comparisons where that is shorter: `(25.5, inf), <missing>` as `> 25.5 or missing`. */
export function intervalText(text: string): string {
  return text
    .replace(/^in /, "")
    .replace("(-inf, inf)", "any number")
    .replace(/\(-inf, ([^)\]]+)([)\]])/g, (_, end, sign) => `${sign === "]" ? "<=" : "<"} ${end}`)
    .replace(/([(\[])([^,]+), inf\)/g, (_, sign, end) => `${sign === "[" ? ">=" : ">"} ${end}`)
    .replaceAll("<missing>", "missing")
    .replace(/, (?=[<>m([])/g, " or ");
}

/** 1,234: grouped as in English. */
export const groupedNumber = (number: number) => number.toLocaleString("en");

/** 1 node, 2 nodes. */
export function plural(number: number, noun: string): string {
  return `${groupedNumber(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** An integer given as decimal digits: grouped, or as a power of ten where it is long. */
export function countText(digits: string): string {
  if (digits.length > 15) return `${digits[0]}.${digits.slice(1, 3)} × 10^${digits.length - 1}`;
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Whole percent; `<1%` and `>99%` where rounding would say none or all. */
export function percent(share: number): string {
  const per = share * 100;
  return `${per > 0 && per < 1 ? "<1" : per < 100 && per > 99 ? ">99" : Math.round(per)}%`;
}

export function labelText(model: Model, label: Value): string {
  const index = model.labels.indexOf(label);
  return model.label_texts[index] ?? String(label);
}
