/** Gates of gates of the same kind drawn as one: (a or (b or c)) is read as a or b or c. Pure. */
import type { Graph } from "../api.ts";

/** The same graph without gates that only continue the gate above them; shared gates stay. */
export function flat(graph: Graph): Graph {
  const kind = new Map(graph.nodes.map((node) => [node.id, node.kind]));
  const hidden = new Map(graph.nodes.map((node) => [node.id, node.hidden_children]));
  const uses = new Map<string, number>();
  for (const { to } of graph.edges) uses.set(to, (uses.get(to) ?? 0) + 1);
  const into = new Map<string, string>();
  for (const { from, to } of graph.edges)
    if ((kind.get(to) === "and" || kind.get(to) === "or") && kind.get(from) === kind.get(to))
      if (uses.get(to) === 1 && hidden.get(to) === 0) into.set(to, from);
  const kept = (id: string): string => {
    let at = id;
    while (into.has(at)) at = into.get(at)!;
    return at;
  };
  return {
    ...graph,
    nodes: graph.nodes.filter((node) => !into.has(node.id)),
    edges: graph.edges.filter((edge) => !into.has(edge.to)).map((edge) => ({ ...edge, from: kept(edge.from) })),
  };
}
