/** A graph with few enough edges to follow: parallel edges are merged, and of many children only the nearest are drawn. Pure. */
import type { Edge, Graph, Node } from "../api/schemas.ts";
import { READABLE_NODES } from "./collapse.ts";

/** Suffix of the id of a `rest` node, which stands for the hidden children of its parent. */
export const REST = "#rest";

/** The same graph with at most one edge from a node to another; its text joins theirs. */
export function mergeParallelEdges(graph: Graph): Graph {
  const merged = new Map<string, Edge>();
  for (const edge of graph.edges) {
    const key = `${edge.from} ${edge.to}`;
    const first = merged.get(key);
    const text = [first?.text, edge.text].filter(Boolean).join(" or ");
    merged.set(key, first ? { ...first, text, on_path: first.on_path || edge.on_path } : edge);
  }
  return { ...graph, edges: [...merged.values()] };
}

/** At most `fanout` children of each node on the path, all children of expanded nodes, none of others. */
export function limitFanout(graph: Graph, expanded: Iterable<string>, fanout: number): Graph {
  const small = graph.nodes.length <= READABLE_NODES && graph.nodes.length === graph.total;
  if (small || !graph.nodes.some((node) => node.on_path)) return mergeParallelEdges(graph);
  const expandedIds = new Set(expanded);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const outgoing = new Map<string, Edge[]>(graph.nodes.map((node) => [node.id, []]));
  for (const edge of mergeParallelEdges(graph).edges) outgoing.get(edge.from)?.push(edge);
  const drawn = new Map<string, Edge[]>([[graph.root, []]]);
  for (const id of drawn.keys()) {
    const all = outgoing.get(id)!;
    const edges = expandedIds.has(id) ? all : nodes.get(id)!.on_path ? nearestToPath(all, fanout) : [];
    drawn.set(id, edges);
    for (const { to } of edges) if (!drawn.has(to)) drawn.set(to, []);
  }
  const drawnNodes = graph.nodes.flatMap((node) => {
    const edges = drawn.get(node.id);
    if (!edges) return [];
    const hidden = node.hidden_children + outgoing.get(node.id)!.length - edges.length;
    return edges.length && hidden ? [{ ...node, hidden_children: 0 }, restOf(node, hidden)] : [{ ...node, hidden_children: hidden }];
  });
  const restEdges = drawnNodes.flatMap(({ id }) =>
    id.endsWith(REST) ? [{ from: id.slice(0, -REST.length), to: id, text: "", on_path: false }] : [],
  );
  return { ...graph, nodes: drawnNodes, edges: [...[...drawn.values()].flat(), ...restEdges] };
}

/** The edges of the path and those next to them, in order. A single edge is never left out: the rest node needs as much room. */
function nearestToPath(edges: Edge[], fanout: number): Edge[] {
  if (edges.length <= fanout + 1) return edges;
  const onPath = edges.flatMap(({ on_path }, i) => (on_path ? [i] : []));
  const distance = (i: number) => Math.min(...onPath.map((each) => Math.abs(each - i)), edges.length);
  const order = edges.map((_, i) => i).sort((a, b) => distance(a) - distance(b) || a - b);
  const nearest = new Set(order.slice(0, Math.max(fanout, onPath.length)));
  return edges.filter((_, i) => nearest.has(i));
}

function restOf(parent: Node, hidden: number): Node {
  const text = `… ${hidden.toLocaleString("en")} more`;
  return { id: `${parent.id}${REST}`, kind: "rest", text, on_path: false, hidden_children: hidden, feature: null, cells: null };
}

/** The text of an edge cut to a length: as many alternatives as fit, and the number of others. */
export function shortenedLabel(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const alternatives = text.split(" or ");
  for (let count = alternatives.length - 1; count > 0; count--) {
    const short = `${alternatives.slice(0, count).join(" or ")} +${alternatives.length - count}`;
    if (short.length <= maxLength) return short;
  }
  return `${text.slice(0, maxLength - 1)}…`;
}
