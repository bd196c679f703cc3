import assert from "node:assert/strict";
import { test } from "node:test";
import { gathered, merged, MORE, shortened } from "./out/graph/gathered.js";

// A root with 30 children, one of them (17) on the way to a leaf that all of them lead to, by two lines each.
const node = (id, on_path = false, hidden_children = 0) => ({ id: String(id), kind: "decision", text: String(id), on_path, hidden_children, feature: null, cells: null });
const children = Array.from({ length: 30 }, (_, i) => i + 1);
const line = (from, to, text, on_path = false) => ({ from: String(from), to: String(to), text, on_path });
const fan = {
  nodes: [node(0, true), ...children.map((id) => node(id, id === 17, id === 17 ? 5 : 2)), node(99, true)],
  edges: [
    ...children.map((id) => line(0, id, `in ${id}`, id === 17)),
    ...children.flatMap((id) => [line(id, 99, "low"), line(id, 99, "high", id === 17)]),
  ],
  root: "0",
  total: 400,
};
const idsOf = (graph) => graph.nodes.map(({ id }) => id);
const below = (graph, id) => new Set(graph.edges.filter(({ from, to }) => from === id && !to.endsWith(MORE)).map(({ to }) => to));

test("several lines between two nodes are one, which says all of them", () => {
  const { edges } = merged(fan);
  assert.equal(edges.length, 60);
  assert.deepEqual(edges.find(({ from }) => from === "17"), line(17, 99, "low or high", true));
  assert.deepEqual(edges.find(({ from }) => from === "3"), line(3, 99, "low or high"));
});

test("of many children those next to the way are drawn, and the rest is one part", () => {
  const part = gathered(fan, [], 4);
  assert.deepEqual(idsOf(part), ["0", `0${MORE}`, "15", "16", "17", `17${MORE}`, "18", "99"]);
  assert.equal(part.nodes[1].text, "… 26 more");
  assert.ok(part.edges.some(({ from, to, on_path }) => from === "17" && to === "99" && on_path));
  assert.equal(below(part, "16").size, 0);
});

test("what is drawn, hidden and gathered of a node is all that it has", () => {
  for (const opened of [[], ["0"], ["16"], ["0", "3"]]) {
    const part = gathered(fan, opened, 4);
    for (const { id, hidden_children } of part.nodes.filter((each) => !each.id.endsWith(MORE))) {
      const whole = below(fan, id).size + fan.nodes.find((each) => each.id === id).hidden_children;
      const rest = part.nodes.find((each) => each.id === `${id}${MORE}`)?.hidden_children ?? 0;
      assert.equal(below(part, id).size + hidden_children + rest, whole, id);
      assert.ok(hidden_children === 0 || rest === 0);
    }
  }
});

test("an opened node has all its children, and its line to the way", () => {
  assert.equal(below(gathered(fan, ["0"], 4), "0").size, 30);
  assert.deepEqual([...below(gathered(fan, ["16"], 4), "16")], ["99"]);
});

test("one child too many is drawn, and a small graph is whole", () => {
  assert.equal(below(gathered(fan, [], 29), "0").size, 30);
  assert.equal(below(gathered(fan, [], 28), "0").size, 28);
  const small = { ...fan, nodes: [node(0, true), node(1), node(2)], edges: [line(0, 1, "a"), line(0, 2, "b"), line(1, 2, "c")], total: 3 };
  assert.deepEqual(gathered(small, [], 1).edges, small.edges);
});

test("a long text keeps the parts there is room for", () => {
  assert.equal(shortened("<= 3", 9), "<= 3");
  assert.equal(shortened("(1, 2] or (4, 5] or > 9", 20), "(1, 2] or (4, 5] +1");
  assert.equal(shortened("(1, 2] or (4, 5] or > 9", 10), "(1, 2] +2");
  assert.equal(shortened("clerk, driver, teacher", 10), "clerk, dr…");
});
