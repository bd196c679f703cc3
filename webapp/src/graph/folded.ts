/** What of a graph opens first: the way of the case and what is next to it, or what is next to the top. Pure.
 *
 * The server folds graphs of more than 500 nodes; long before, a drawing is a bundle of lines.
 */
import type { Graph } from "../api.ts";

/** With more nodes a drawing opens folded. Looked at: of a tree of 19 the way is still in sight, of one of 33 it is not. */
export const READABLE = 24;

/** Ways through gates can be all of the graph. */
const MOST = 100;

/** The graph with the nodes of the way, those beside it and the children of `opened`; whole if it is small. */
export function folded(graph: Graph, way: Iterable<string>, opened: Iterable<string>): Graph {
  if (graph.nodes.length <= READABLE) return graph;
  const below = new Map<string, string[]>(graph.nodes.map((node) => [node.id, []]));
  for (const { from, to } of graph.edges) below.get(from)?.push(to);
  const seen = nearest(graph.root, below, new Set(way));
  for (const id of opened)
    if (below.has(id)) for (const each of [id, ...below.get(id)!]) seen.add(each);
  const hidden = (id: string) => new Set(below.get(id)!.filter((child) => !seen.has(child))).size;
  return {
    ...graph,
    nodes: graph.nodes.flatMap((node) =>
      seen.has(node.id) ? [{ ...node, hidden_children: node.hidden_children + hidden(node.id) }] : [],
    ),
    edges: graph.edges.filter((edge) => seen.has(edge.from) && seen.has(edge.to)),
  };
}

/** From the root on along the way (along everything, where there is none), with the children of each. */
function nearest(root: string, below: Map<string, string[]>, way: Set<string>): Set<string> {
  const seen = new Set([root]);
  const todo = [root];
  for (const id of todo) {
    for (const child of below.get(id) ?? []) {
      const onWay = way.has(child);
      if (seen.has(child) || (seen.size >= READABLE && !onWay) || seen.size >= MOST) continue;
      seen.add(child);
      if (onWay || way.size === 0) todo.push(child);
    }
  }
  return seen;
}
