import assert from "node:assert/strict";
import { test } from "node:test";
import { collapse, READABLE_NODES } from "./out/graph/collapse.js";

// A full binary tree of 127 nodes; the path goes left.
const ids = Array.from({ length: 127 }, (_, i) => String(i));
const path = ["0", "1", "3", "7", "15", "31", "63"];
const tree = {
  nodes: ids.map((id) => ({ id, kind: "decision", text: id, on_path: path.includes(id), hidden_children: 0, feature: null, cells: null })),
  edges: ids.slice(1).map((id) => ({ from: String((Number(id) - 1) >> 1), to: id, text: "", on_path: path.includes(id) })),
  root: "0",
  total: 127,
};
const idsOf = (graph) => graph.nodes.map((node) => node.id).sort((a, b) => a - b);

test("a small graph stays whole", () => {
  const few = { ...tree, nodes: tree.nodes.slice(0, READABLE_NODES), edges: tree.edges.slice(0, READABLE_NODES - 1) };
  assert.equal(collapse(few, path, []), few);
});

test("a larger graph shows the path and its neighbours, and counts hidden children", () => {
  const part = collapse(tree, path, []);
  assert.deepEqual(idsOf(part), ["0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "63", "64"]);
  const hidden = Object.fromEntries(part.nodes.map((node) => [node.id, node.hidden_children]));
  assert.deepEqual([hidden["0"], hidden["2"], hidden["32"], hidden["63"]], [0, 2, 2, 0]);
  assert.equal(part.edges.length, part.nodes.length - 1);
  assert.equal(part.total, 127);
});

test("an expanded node is shown with its children; unknown ids are ignored", () => {
  const part = collapse(tree, path, ["2", "5", "999"]);
  assert.deepEqual(idsOf(part).filter((id) => !idsOf(collapse(tree, path, [])).includes(id)), ["5", "6", "11", "12"]);
  assert.equal(part.nodes.find((node) => node.id === "2").hidden_children, 0);
});

test("without a path, the top is shown, up to the readable size", () => {
  const part = collapse(tree, [], []);
  assert.deepEqual(idsOf(part), ids.slice(0, READABLE_NODES));
});

test("expanding everything shows the whole graph", () => {
  const expanded = [];
  for (let part = collapse(tree, path, []); ; part = collapse(tree, path, expanded)) {
    const more = part.nodes.find((node) => node.hidden_children > 0);
    if (!more) return assert.deepEqual(idsOf(part), ids);
    expanded.push(more.id);
  }
});
