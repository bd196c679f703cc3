import assert from "node:assert/strict";
import { test } from "node:test";
import { limitFanout, mergeParallelEdges, REST, shortenedLabel } from "./out/graph/limitFanout.js";

// A root with 30 children, each with two edges to one leaf; child 17 is on the path.
const node = (id, on_path = false, hidden_children = 0) => ({ id: String(id), kind: "decision", text: String(id), on_path, hidden_children, feature: null, cells: null });
const children = Array.from({ length: 30 }, (_, i) => i + 1);
const edge = (from, to, text, on_path = false) => ({ from: String(from), to: String(to), text, on_path });
const fan = {
  nodes: [node(0, true), ...children.map((id) => node(id, id === 17, id === 17 ? 5 : 2)), node(99, true)],
  edges: [
    ...children.map((id) => edge(0, id, `in ${id}`, id === 17)),
    ...children.flatMap((id) => [edge(id, 99, "low"), edge(id, 99, "high", id === 17)]),
  ],
  root: "0",
  total: 400,
};
const idsOf = (graph) => graph.nodes.map(({ id }) => id);
const below = (graph, id) => new Set(graph.edges.filter(({ from, to }) => from === id && !to.endsWith(REST)).map(({ to }) => to));

test("parallel edges become one, with all of their texts", () => {
  const { edges } = mergeParallelEdges(fan);
  assert.equal(edges.length, 60);
  assert.deepEqual(edges.find(({ from }) => from === "17"), edge(17, 99, "low or high", true));
  assert.deepEqual(edges.find(({ from }) => from === "3"), edge(3, 99, "low or high"));
});

test("of many children those next to the path are drawn, and one node stands for the rest", () => {
  const part = limitFanout(fan, [], 4);
  assert.deepEqual(idsOf(part), ["0", `0${REST}`, "15", "16", "17", `17${REST}`, "18", "99"]);
  assert.equal(part.nodes[1].text, "… 26 more");
  assert.ok(part.edges.some(({ from, to, on_path }) => from === "17" && to === "99" && on_path));
  assert.equal(below(part, "16").size, 0);
});

test("drawn, hidden and rest children add up", () => {
  for (const expanded of [[], ["0"], ["16"], ["0", "3"]]) {
    const part = limitFanout(fan, expanded, 4);
    for (const { id, hidden_children } of part.nodes.filter((each) => !each.id.endsWith(REST))) {
      const whole = below(fan, id).size + fan.nodes.find((each) => each.id === id).hidden_children;
      const rest = part.nodes.find((each) => each.id === `${id}${REST}`)?.hidden_children ?? 0;
      assert.equal(below(part, id).size + hidden_children + rest, whole, id);
      assert.ok(hidden_children === 0 || rest === 0);
    }
  }
});

test("an expanded node has all its children, and its edge to the path", () => {
  assert.equal(below(limitFanout(fan, ["0"], 4), "0").size, 30);
  assert.deepEqual([...below(limitFanout(fan, ["16"], 4), "16")], ["99"]);
});

test("a single excess child is drawn, and a small graph stays whole", () => {
  assert.equal(below(limitFanout(fan, [], 29), "0").size, 30);
  assert.equal(below(limitFanout(fan, [], 28), "0").size, 28);
  const small = { ...fan, nodes: [node(0, true), node(1), node(2)], edges: [edge(0, 1, "a"), edge(0, 2, "b"), edge(1, 2, "c")], total: 3 };
  assert.deepEqual(limitFanout(small, [], 1).edges, small.edges);
});

test("a long label keeps the alternatives that fit", () => {
  assert.equal(shortenedLabel("<= 3", 9), "<= 3");
  assert.equal(shortenedLabel("(1, 2] or (4, 5] or > 9", 20), "(1, 2] or (4, 5] +1");
  assert.equal(shortenedLabel("(1, 2] or (4, 5] or > 9", 10), "(1, 2] +2");
  assert.equal(shortenedLabel("clerk, driver, teacher", 10), "clerk, dr…");
});
