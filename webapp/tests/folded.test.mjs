import assert from "node:assert/strict";
import { test } from "node:test";
import { around, fitting, opening, sees } from "./out/graph/camera.js";
import { folded, READABLE } from "./out/graph/folded.js";

// A full binary tree of 127 nodes; the way goes to the left.
const ids = Array.from({ length: 127 }, (_, i) => String(i));
const way = ["0", "1", "3", "7", "15", "31", "63"];
const tree = {
  nodes: ids.map((id) => ({ id, kind: "decision", text: id, on_path: way.includes(id), hidden_children: 0, feature: null, cells: null })),
  edges: ids.slice(1).map((id) => ({ from: String((Number(id) - 1) >> 1), to: id, text: "", on_path: way.includes(id) })),
  root: "0",
  total: 127,
};
const idsOf = (graph) => graph.nodes.map((node) => node.id).sort((a, b) => a - b);

test("a small graph stays whole", () => {
  const few = { ...tree, nodes: tree.nodes.slice(0, READABLE), edges: tree.edges.slice(0, READABLE - 1) };
  assert.equal(folded(few, way, []), few);
});

test("a larger one opens with its way and what is beside it, and says what is hidden", () => {
  const part = folded(tree, way, []);
  assert.deepEqual(idsOf(part), ["0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "63", "64"]);
  const hidden = Object.fromEntries(part.nodes.map((node) => [node.id, node.hidden_children]));
  assert.deepEqual([hidden["0"], hidden["2"], hidden["32"], hidden["63"]], [0, 2, 2, 0]);
  assert.equal(part.edges.length, part.nodes.length - 1);
  assert.equal(part.total, 127);
});

test("what is opened comes with its children, and nodes that are not there are left", () => {
  const part = folded(tree, way, ["2", "5", "999"]);
  assert.deepEqual(idsOf(part).filter((id) => !idsOf(folded(tree, way, [])).includes(id)), ["5", "6", "11", "12"]);
  assert.equal(part.nodes.find((node) => node.id === "2").hidden_children, 0);
});

test("without a way it opens from the top, at most as much as can be read", () => {
  const part = folded(tree, [], []);
  assert.deepEqual(idsOf(part), ids.slice(0, READABLE));
});

test("all that can be opened is in the end all there is", () => {
  const opened = [];
  for (let part = folded(tree, way, []); ; part = folded(tree, way, opened)) {
    const more = part.nodes.find((node) => node.hidden_children > 0);
    if (!more) return assert.deepEqual(idsOf(part), ids);
    opened.push(more.id);
  }
});

const box = (x, y) => ({ x, y, width: 100, height: 30 });
const frame = { width: 800, height: 600 };

test("a drawing that is legible as a whole is shown as a whole", () => {
  const camera = opening({ width: 900, height: 700 }, frame, [box(0, 0)], box(0, 0));
  assert.deepEqual(camera, fitting({ width: 900, height: 700 }, frame));
});

test("of a large one the way is in sight, wherever it is, at a size that can be read", () => {
  for (const shift of [0, 2000, 6000, 9000]) {
    const boxes = [box(shift, 0), box(shift + 300, 300), box(shift + 900, 900)];
    const camera = opening({ width: 10000, height: 1000 }, frame, boxes, boxes[0]);
    assert.ok(camera.scale >= 0.5 && sees(camera, frame, boxes), `${shift}`);
  }
});

test("a way that is too long is shown from its top", () => {
  const boxes = Array.from({ length: 40 }, (_, i) => box(5000 + 20 * i, 100 * i));
  const camera = opening({ width: 10000, height: 4100 }, frame, boxes, boxes[0]);
  assert.ok(sees(camera, frame, boxes.slice(0, 7)) && !sees(camera, frame, boxes));
});

test("what is out of the frame is not seen", () => {
  const camera = { x: 0, y: 0, scale: 1 };
  assert.ok(sees(camera, frame, [box(0, 0), box(700, 570)]));
  for (const out of [box(-1, 0), box(701, 0), box(0, 571)]) assert.ok(!sees(camera, frame, [box(0, 0), out]));
  assert.deepEqual(around([box(0, 0), box(50, 100)]), { x: 0, y: 0, width: 150, height: 130 });
});

test("a drawing without a way that nearly fits is not cut for a little more size", () => {
  const wide = (width) => opening({ width, height: 200 }, frame, [], box(width / 2, 0)).scale;
  assert.deepEqual([wide(700), wide(1200).toFixed(2), wide(2000)], [1, "0.67", 0.72]);
});
