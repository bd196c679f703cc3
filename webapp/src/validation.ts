/** What a user types into a field: parsed, or a message on what is wrong with it. Pure. */
import { groupedNumber, plural } from "./format.ts";

/** The number that a text stands for, or a message where it is not a number or is ambiguous. */
export function parseNumber(typed: string): number | string {
  const text = typed.trim().replace("\u2212", "-");
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text))
    return `“${text}” is ambiguous. Write ${text.replaceAll(",", "")} without a comma.`;
  const decimal = text.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(decimal)) return `“${shortened(text)}” is not a number. Examples: 12 or 12.5.`;
  const number = Number(decimal);
  return Number.isFinite(number) ? number : `“${shortened(text)}” is too large.`;
}

/** What is wrong with a text as a row number; "" if that row exists. */
export function rowError(typed: string, rows: number): string {
  const text = typed.trim();
  if (/^\d+$/.test(text) && Number(text) < rows) return "";
  const existing = rows === 0 ? "your data has no rows" : `your data has ${plural(rows, "row")}, numbered 0 to ${groupedNumber(rows - 1)}`;
  return `There is no row “${shortened(text)}”: ${existing}.`;
}

const shortened = (text: string) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);
