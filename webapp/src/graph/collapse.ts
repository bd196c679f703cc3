/** The part of a graph that is shown first: the path of the instance and its neighbours. Pure.
 *
 * The server collapses graphs of more than 500 nodes. Drawings become unreadable long before.
 */
import type { Graph } from "../api/schemas.ts";

/** Larger graphs are collapsed. By eye: the path of a 19-node tree is still easy to follow, that of a 33-node tree is not. */
export const READABLE_NODES = 24;

/** The path through gates can be the whole graph. */
const MAX_NODES = 100;

/** The nodes of `path`, their neighbours, and the children of `expanded` nodes; a small graph stays whole. */
export function collapse(graph: Graph, path: Iterable<string>, expanded: Iterable<string>): Graph {
  if (graph.nodes.length <= READABLE_NODES) return graph;
  const children = new Map<string, string[]>(graph.nodes.map((node) => [node.id, []]));
  for (const { from, to } of graph.edges) children.get(from)?.push(to);
  const shown = nearPath(graph.root, children, new Set(path));
  for (const id of expanded)
    if (children.has(id)) for (const each of [id, ...children.get(id)!]) shown.add(each);
  const hidden = (id: string) => new Set(children.get(id)!.filter((child) => !shown.has(child))).size;
  return {
    ...graph,
    nodes: graph.nodes.flatMap((node) =>
      shown.has(node.id) ? [{ ...node, hidden_children: node.hidden_children + hidden(node.id) }] : [],
    ),
    edges: graph.edges.filter((edge) => shown.has(edge.from) && shown.has(edge.to)),
  };
}

/** Breadth-first from the root along the path (along all edges, if there is none), with the children of each node. */
function nearPath(root: string, children: Map<string, string[]>, path: Set<string>): Set<string> {
  const shown = new Set([root]);
  const queue = [root];
  for (const id of queue) {
    for (const child of children.get(id) ?? []) {
      const onPath = path.has(child);
      if (shown.has(child) || (shown.size >= READABLE_NODES && !onPath) || shown.size >= MAX_NODES) continue;
      shown.add(child);
      if (onPath || path.size === 0) queue.push(child);
    }
  }
  return shown;
}
