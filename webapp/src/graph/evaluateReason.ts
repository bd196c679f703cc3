/** Which nodes of a complete reason are true of an instance. Pure. */
import type { Graph, Node } from "../api/schemas.ts";

/** Three-valued: null where hidden children leave a node undetermined. */
export type Truth = boolean | null;

/** The truth of each node, given that of the literals. Each node is evaluated once, without recursion. */
export function evaluateReason(graph: Graph, literalTruth: (literal: Node) => Truth): Map<string, Truth> {
  const inputs = new Map<string, string[]>(graph.nodes.map((node) => [node.id, []]));
  for (const edge of graph.edges) inputs.get(edge.from)?.push(edge.to);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const truths = new Map<string, Truth>();
  const stack = graph.nodes.map((node) => node.id);
  while (stack.length) {
    const id = stack.at(-1)!;
    const node = nodes.get(id)!;
    const below = inputs.get(id)!;
    const pending = truths.has(id) ? [] : below.filter((input) => !truths.has(input));
    if (pending.length) {
      stack.push(...pending);
      continue;
    }
    stack.pop();
    if (truths.has(id)) continue;
    const values = below.map((input) => truths.get(input) ?? null);
    if (node.hidden_children > 0) values.push(null);
    truths.set(id, nodeTruth(node, values, literalTruth));
  }
  return truths;
}

function nodeTruth(node: Node, inputs: Truth[], literalTruth: (literal: Node) => Truth): Truth {
  const { kind } = node;
  if (kind === "and") return inputs.includes(false) ? false : inputs.includes(null) ? null : true;
  if (kind === "or") return inputs.includes(true) ? true : inputs.includes(null) ? null : false;
  return kind === "literal" ? literalTruth(node) : kind === "true";
}
