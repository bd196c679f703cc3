/** A graph with few enough lines to follow: what leads to one node is one line, and of many children the nearest are drawn. Pure. */
import type { Graph, GraphEdge, GraphNode } from "../api.ts";
import { READABLE } from "./folded.ts";

/** Stands for children that are not drawn; its id is that of their parent and this. */
export const MORE = "#more";

/** The same graph with one line from a node to another, whatever the number of ways between them. */
export function merged(graph: Graph): Graph {
  const lines = new Map<string, GraphEdge>();
  for (const edge of graph.edges) {
    const key = `${edge.from} ${edge.to}`;
    const line = lines.get(key);
    const text = [line?.text, edge.text].filter(Boolean).join(" or ");
    lines.set(key, line ? { ...line, text, on_path: line.on_path || edge.on_path } : edge);
  }
  return { ...graph, edges: [...lines.values()] };
}

/** What can be read of a large graph with a way: at most `fan` children of each of its nodes, all of an opened one, none of others. */
export function gathered(graph: Graph, opened: Iterable<string>, fan: number): Graph {
  const small = graph.nodes.length <= READABLE && graph.nodes.length === graph.total;
  if (small || !graph.nodes.some((node) => node.on_path)) return merged(graph);
  const wanted = new Set(opened);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const below = new Map<string, GraphEdge[]>(graph.nodes.map((node) => [node.id, []]));
  for (const edge of merged(graph).edges) below.get(edge.from)?.push(edge);
  const drawn = new Map<string, GraphEdge[]>([[graph.root, []]]);
  for (const id of drawn.keys()) {
    const edges = below.get(id)!;
    const few = wanted.has(id) ? edges : nodes.get(id)!.on_path ? nearest(edges, fan) : [];
    drawn.set(id, few);
    for (const { to } of few) if (!drawn.has(to)) drawn.set(to, []);
  }
  const parts = graph.nodes.flatMap((node) => {
    const few = drawn.get(node.id);
    const hidden = node.hidden_children + below.get(node.id)!.length - (few?.length ?? 0);
    if (!few) return [];
    return few.length && hidden ? [{ ...node, hidden_children: 0 }, rest(node, hidden)] : [{ ...node, hidden_children: hidden }];
  });
  const stubs = parts.flatMap(({ id }) => (id.endsWith(MORE) ? [{ from: id.slice(0, -MORE.length), to: id, text: "", on_path: false }] : []));
  return { ...graph, nodes: parts, edges: [...[...drawn.values()].flat(), ...stubs] };
}

/** The lines of the way and those next to them, in their order; one left out would not be worth a word. */
function nearest(edges: GraphEdge[], fan: number): GraphEdge[] {
  if (edges.length <= fan + 1) return edges;
  const way = edges.flatMap(({ on_path }, i) => (on_path ? [i] : []));
  const far = (i: number) => Math.min(...way.map((each) => Math.abs(each - i)), edges.length);
  const near = edges.map((_, i) => i).sort((a, b) => far(a) - far(b) || a - b);
  const kept = new Set(near.slice(0, Math.max(fan, way.length)));
  return edges.filter((_, i) => kept.has(i));
}

function rest(of: GraphNode, hidden: number): GraphNode {
  const text = `… ${hidden.toLocaleString("en")} more`;
  return { id: `${of.id}${MORE}`, kind: "rest", text, on_path: false, hidden_children: hidden, feature: null, cells: null };
}

/** A text at a line in few signs: as many of its parts as there is room for, and how many more. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const parts = text.split(" or ");
  for (let most = parts.length - 1; most > 0; most--) {
    const told = `${parts.slice(0, most).join(" or ")} +${parts.length - most}`;
    if (told.length <= longest) return told;
  }
  return `${text.slice(0, longest - 1)}…`;
}
