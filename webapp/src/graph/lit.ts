/** Which parts of a complete reason hold when values change. Pure. */
import type { Graph, GraphNode } from "../api.ts";

/** true, false, or null where a part is not drawn and so not known. */
export type Light = boolean | null;

/** Whether each part holds, `holds` saying it of the literals. Every part is looked at once. */
export function lights(graph: Graph, holds: (literal: GraphNode) => Light): Map<string, Light> {
  const inputs = new Map<string, string[]>(graph.nodes.map((node) => [node.id, []]));
  for (const edge of graph.edges) inputs.get(edge.from)?.push(edge.to);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const found = new Map<string, Light>();
  const todo = graph.nodes.map((node) => node.id);
  while (todo.length) {
    const id = todo.at(-1)!;
    const node = nodes.get(id)!;
    const below = inputs.get(id)!;
    const open = found.has(id) ? [] : below.filter((input) => !found.has(input));
    if (open.length) {
      todo.push(...open);
      continue;
    }
    todo.pop();
    if (found.has(id)) continue;
    const values = below.map((input) => found.get(input) ?? null);
    if (node.hidden_children > 0) values.push(null);
    found.set(id, lightOf(node, values, holds));
  }
  return found;
}

function lightOf(node: GraphNode, inputs: Light[], holds: (literal: GraphNode) => Light): Light {
  const { kind } = node;
  if (kind === "and") return inputs.includes(false) ? false : inputs.includes(null) ? null : true;
  if (kind === "or") return inputs.includes(true) ? true : inputs.includes(null) ? null : false;
  return kind === "literal" ? holds(node) : kind === "true";
}
