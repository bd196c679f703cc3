/** Nested gates of the same kind merged into one: a or (b or c) becomes a or b or c. Pure. */
import type { Graph } from "../api/schemas.ts";

/** The same function without gates that only continue their parent. Shared or partly hidden gates stay. */
export function mergeGates(graph: Graph): Graph {
  const kind = new Map(graph.nodes.map((node) => [node.id, node.kind]));
  const hidden = new Map(graph.nodes.map((node) => [node.id, node.hidden_children]));
  const parents = new Map<string, number>();
  for (const { to } of graph.edges) parents.set(to, (parents.get(to) ?? 0) + 1);
  const mergedInto = new Map<string, string>();
  for (const { from, to } of graph.edges)
    if ((kind.get(to) === "and" || kind.get(to) === "or") && kind.get(from) === kind.get(to))
      if (parents.get(to) === 1 && hidden.get(to) === 0) mergedInto.set(to, from);
  const representative = (id: string): string => {
    let at = id;
    while (mergedInto.has(at)) at = mergedInto.get(at)!;
    return at;
  };
  return {
    ...graph,
    nodes: graph.nodes.filter((node) => !mergedInto.has(node.id)),
    edges: graph.edges.filter((edge) => !mergedInto.has(edge.to)).map((edge) => ({ ...edge, from: representative(edge.from) })),
  };
}
