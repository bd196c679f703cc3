import assert from "node:assert/strict";
import { test } from "node:test";
import { flat } from "./out/graph/flat.js";
import { lights } from "./out/graph/lit.js";
import { termGraph, termText } from "./out/graph/terms.js";
import { cellsOf, countText, differing, intervalText, numberIn, percent, wrongRow } from "./out/values.js";

const gate = (id, kind, hidden_children = 0) => ({ id, kind, text: kind, hidden_children, feature: null, cells: null });
const literal = (id) => ({ id, kind: "literal", text: id, hidden_children: 0, feature: id, cells: [1] });
const edge = (from, to) => ({ from, to, text: "", on_path: false });

// e and (g or (w or r))
const reason = {
  nodes: [gate("top", "and"), gate("any", "or"), gate("more", "or"), ...["e", "g", "w", "r"].map(literal)],
  edges: [edge("top", "e"), edge("top", "any"), edge("any", "g"), edge("any", "more"), edge("more", "w"), edge("more", "r")],
  root: "top",
  total: 7,
};

const truth = (on) => on.has("e") && (on.has("g") || on.has("w") || on.has("r"));

test("a reason is lit as its formula is true, in all 16 cases, flattened or not", () => {
  for (let mask = 0; mask < 16; mask++) {
    const on = new Set(["e", "g", "w", "r"].filter((_, i) => mask & (1 << i)));
    for (const graph of [reason, flat(reason)])
      assert.equal(lights(graph, (node) => on.has(node.feature)).get("top"), truth(on));
  }
});

test("gates of the same kind become one, others stay", () => {
  assert.deepEqual(flat(reason).nodes.map((node) => node.id), ["top", "any", "e", "g", "w", "r"]);
  assert.equal(flat(reason).edges.filter((each) => each.from === "any").length, 3);
});

test("a gate that is used twice, or not all drawn, is not joined", () => {
  const twice = { ...reason, edges: [...reason.edges, edge("top", "more")] };
  assert.ok(flat(twice).nodes.some((node) => node.id === "more"));
  const hidden = { ...reason, nodes: reason.nodes.map((node) => (node.id === "more" ? gate("more", "or", 3) : node)) };
  assert.ok(flat(hidden).nodes.some((node) => node.id === "more"));
});

test("what is not drawn is not known, unless the rest settles it", () => {
  const part = { ...reason, nodes: reason.nodes.map((node) => (node.id === "more" ? gate("more", "or", 3) : node)) };
  const lit = (on) => lights(part, (node) => on.includes(node.feature)).get("top");
  assert.equal(lit(["e"]), null);
  assert.equal(lit(["e", "g"]), true);
  assert.equal(lit(["g"]), false);
});

test("numbers are read easily", () => {
  assert.equal(intervalText("(25.5, inf), <missing>"), "> 25.5 or missing");
  assert.equal(intervalText("(-inf, 3], (4, 5]"), "<= 3 or (4, 5]");
  assert.equal(intervalText("in [3, inf)"), ">= 3");
  assert.equal(intervalText("(-inf, inf), <missing>"), "any number or missing");
  assert.equal(countText("1234567"), "1,234,567");
  assert.equal(countText("12".repeat(12)), "1.21 × 10^23");
  assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(percent), ["0 %", "<1 %", "50 %", ">99 %", "100 %"]);
});

const characteristic = (feature) => ({ feature, text: feature, cell: 1 });
const explanation = (terms, count = String(terms.length)) => {
  const shared = terms[0].filter((name) => terms.every((term) => term.includes(name)));
  const term = (names) => ({ text: names.join(), characteristics: names.map(characteristic) });
  return { sufficient_reasons: { count, shown: terms.map(term) }, necessary: term(shared) };
};

test("a reason drawn from its terms is true where one of them is, in all 32 cases", () => {
  const names = ["a", "b", "c", "d", "e"];
  for (const terms of [[["a"]], [["a", "b"]], [["a", "b"], ["a", "c"]], [["a"], ["b", "c"]], [["a", "b", "c"], ["a", "d", "e"], ["a", "b", "e"]], [[]]]) {
    const graph = termGraph(explanation(terms));
    for (let mask = 0; mask < 32; mask++) {
      const on = new Set(names.filter((_, i) => mask & (1 << i)));
      const expected = terms.some((term) => term.every((name) => on.has(name)));
      const found = lights(graph, (node) => on.has(node.feature)).get(graph.root);
      assert.equal(found, expected);
      const text = termText(explanation(terms)).replace(/\b[a-e]\b/g, (name) => String(on.has(name)));
      assert.equal(Boolean(Function(`return ${text}`)()), expected);
    }
  }
});

test("a reason is not drawn from terms where some are not listed", () => {
  assert.equal(termGraph(explanation([["a"]], "2")), null);
  assert.equal(termText(explanation([["a"]], null)), null);
});

test("a number is read as it is meant, or it is said why not", () => {
  for (const [typed, number] of [["12", 12], [" 12.5 ", 12.5], ["1,5", 1.5], ["0,500", 0.5], ["-3e2", -300], ["\u22124", -4], [".5", 0.5]])
    assert.equal(numberIn(typed), number);
  for (const typed of ["abc", "", "1.2.3", "0x10", "Infinity", "NaN", "1 000", "12a", "-", "1,2,3"])
    assert.match(numberIn(typed), /is not a number/);
  assert.match(numberIn("1,500"), /two numbers.*1500/);
  assert.match(numberIn("1,234,567"), /1234567/);
  assert.match(numberIn("1e999"), /too large/);
});

test("a row is there, or it is said which are", () => {
  for (const typed of ["0", " 59 ", "007"]) assert.equal(wrongRow(typed, 60), "");
  for (const typed of ["60", "-1", "1.5", "", "x", "1e1", "9".repeat(40)]) assert.match(wrongRow(typed, 60), /60 rows, numbered 0 to 59/);
  assert.match(wrongRow("0", 0), /no rows/);
});

const numeric = (name) => ({ name, kind: "numeric", values: [0, 1, 2].map((cell) => ({ cell, raw: cell * 10 })) });
const numbers = { features: [numeric("a"), numeric("b")] };

test("cells are those of the model, or of any answer that had the same value", () => {
  const answer = { instance: { a: 7, b: 10 }, cells: [2, 1] };
  assert.deepEqual(cellsOf(numbers, { a: 20, b: 3 }, [null, answer]), [2, null]);
  assert.deepEqual(cellsOf(numbers, { a: 7, b: 3 }, [null, answer]), [2, null]);
  assert.deepEqual(cellsOf(numbers, { a: 7, b: 0 }, []), [null, 0]);
});

test("values are changed where their cells are others, or unknown and themselves others", () => {
  const changed = (cells, b) => [...differing(numbers, { instance: { a: 1, b: 1 }, cells: [0, null] }, { instance: { a: 2, b }, cells })];
  assert.deepEqual(changed([0, null], 1), []);
  assert.deepEqual(changed([1, null], 1), ["a"]);
  assert.deepEqual(changed([0, 2], 3), ["b"]);
  assert.deepEqual(changed([null, null], 1), ["a"]);
});
