import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, changedFeatures } from "./out/cells.js";

const numeric = (name) => ({ name, kind: "numeric", values: [0, 1, 2].map((cell) => ({ cell, raw: cell * 10 })) });
const numbers = { features: [numeric("a"), numeric("b")] };

test("cells come from the model, or from any response with the same value", () => {
  const answer = { instance: { a: 7, b: 10 }, cells: [2, 1] };
  assert.deepEqual(cellsOf(numbers, { a: 20, b: 3 }, [null, answer]), [2, null]);
  assert.deepEqual(cellsOf(numbers, { a: 7, b: 3 }, [null, answer]), [2, null]);
  assert.deepEqual(cellsOf(numbers, { a: 7, b: 0 }, []), [null, 0]);
});

test("a feature is changed if its cell differs, or its value where the cell is unknown", () => {
  const changed = (cells, b) => [...changedFeatures(numbers, { instance: { a: 1, b: 1 }, cells: [0, null] }, { instance: { a: 2, b }, cells })];
  assert.deepEqual(changed([0, null], 1), []);
  assert.deepEqual(changed([1, null], 1), ["a"]);
  assert.deepEqual(changed([0, 2], 3), ["b"]);
  assert.deepEqual(changed([null, null], 1), ["a"]);
});
