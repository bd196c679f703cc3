import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNumber, rowError } from "./out/validation.js";

test("a number is parsed, or the message says why not", () => {
  for (const [typed, number] of [["12", 12], [" 12.5 ", 12.5], ["1,5", 1.5], ["0,500", 0.5], ["-3e2", -300], ["\u22124", -4], [".5", 0.5]])
    assert.equal(parseNumber(typed), number);
  for (const typed of ["abc", "", "1.2.3", "0x10", "Infinity", "NaN", "1 000", "12a", "-", "1,2,3"])
    assert.match(parseNumber(typed), /is not a number/);
  assert.match(parseNumber("1,500"), /ambiguous.*1500/);
  assert.match(parseNumber("1,234,567"), /1234567/);
  assert.match(parseNumber("1e999"), /too large/);
});

test("a row exists, or the message says which rows do", () => {
  for (const typed of ["0", " 59 ", "007"]) assert.equal(rowError(typed, 60), "");
  for (const typed of ["60", "-1", "1.5", "", "x", "1e1", "9".repeat(40)]) assert.match(rowError(typed, 60), /60 rows, numbered 0 to 59/);
  assert.match(rowError("0", 0), /no rows/);
});
