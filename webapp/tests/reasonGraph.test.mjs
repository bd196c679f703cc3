import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateReason } from "./out/graph/evaluateReason.js";
import { mergeGates } from "./out/graph/mergeGates.js";
import { reasonsAsGraph, reasonsAsText } from "./out/graph/reasonsAsGraph.js";

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

test("the truth of a reason is that of its formula in all 16 cases, with gates merged or not", () => {
  for (let mask = 0; mask < 16; mask++) {
    const on = new Set(["e", "g", "w", "r"].filter((_, i) => mask & (1 << i)));
    for (const graph of [reason, mergeGates(reason)])
      assert.equal(evaluateReason(graph, (node) => on.has(node.feature)).get("top"), truth(on));
  }
});

test("nested gates of the same kind are merged, others stay", () => {
  assert.deepEqual(mergeGates(reason).nodes.map((node) => node.id), ["top", "any", "e", "g", "w", "r"]);
  assert.equal(mergeGates(reason).edges.filter((each) => each.from === "any").length, 3);
});

test("a shared or partly hidden gate is not merged", () => {
  const twice = { ...reason, edges: [...reason.edges, edge("top", "more")] };
  assert.ok(mergeGates(twice).nodes.some((node) => node.id === "more"));
  const hidden = { ...reason, nodes: reason.nodes.map((node) => (node.id === "more" ? gate("more", "or", 3) : node)) };
  assert.ok(mergeGates(hidden).nodes.some((node) => node.id === "more"));
});

test("hidden children leave a gate undetermined, unless the others decide it", () => {
  const part = { ...reason, nodes: reason.nodes.map((node) => (node.id === "more" ? gate("more", "or", 3) : node)) };
  const truth3 = (on) => evaluateReason(part, (node) => on.includes(node.feature)).get("top");
  assert.equal(truth3(["e"]), null);
  assert.equal(truth3(["e", "g"]), true);
  assert.equal(truth3(["g"]), false);
});

const characteristic = (feature) => ({ feature, text: feature, cell: 1 });
const explanation = (terms, count = String(terms.length)) => {
  const shared = terms[0].filter((name) => terms.every((term) => term.includes(name)));
  const term = (names) => ({ text: names.join(), characteristics: names.map(characteristic) });
  return { sufficient_reasons: { count, shown: terms.map(term) }, necessary: term(shared) };
};

test("a disjunction of reasons is true where one of them is, in all 32 cases", () => {
  const names = ["a", "b", "c", "d", "e"];
  for (const terms of [[["a"]], [["a", "b"]], [["a", "b"], ["a", "c"]], [["a"], ["b", "c"]], [["a", "b", "c"], ["a", "d", "e"], ["a", "b", "e"]], [[]]]) {
    const graph = reasonsAsGraph(explanation(terms));
    for (let mask = 0; mask < 32; mask++) {
      const on = new Set(names.filter((_, i) => mask & (1 << i)));
      const expected = terms.some((term) => term.every((name) => on.has(name)));
      const found = evaluateReason(graph, (node) => on.has(node.feature)).get(graph.root);
      assert.equal(found, expected);
      const text = reasonsAsText(explanation(terms)).replace(/\b[a-e]\b/g, (name) => String(on.has(name)));
      assert.equal(Boolean(Function(`return ${text}`)()), expected);
    }
  }
});

test("no disjunction is drawn where some reasons are not listed", () => {
  assert.equal(reasonsAsGraph(explanation([["a"]], "2")), null);
  assert.equal(reasonsAsText(explanation([["a"]], null)), null);
});
