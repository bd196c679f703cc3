import assert from "node:assert/strict";
import { test } from "node:test";
import { countText, intervalText, percent } from "./out/format.js";

test("intervals, counts and shares are short", () => {
  assert.equal(intervalText("(25.5, inf), <missing>"), "> 25.5 or missing");
  assert.equal(intervalText("(-inf, 3], (4, 5]"), "<= 3 or (4, 5]");
  assert.equal(intervalText("in [3, inf)"), ">= 3");
  assert.equal(intervalText("(-inf, inf), <missing>"), "any number or missing");
  assert.equal(countText("1234567"), "1,234,567");
  assert.equal(countText("12".repeat(12)), "1.21 × 10^23");
  assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(percent), ["0%", "<1%", "50%", ">99%", "100%"]);
});
