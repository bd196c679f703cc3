/** A complete reason drawn as the disjunction of all sufficient reasons. Pure.
 *
 * The circuit of a complete reason can have hundreds of nodes where there are two sufficient
 * reasons. This form is then smaller, and equivalent. Characteristics that all reasons share are
 * factored out.
 */
import type { Characteristic, Explanation, Graph, Node } from "../api/schemas.ts";

function listsAllReasons({ sufficient_reasons: { count, shown }, necessary }: Explanation): boolean {
  return necessary !== null && count !== null && count === String(shown.length) && shown.length > 0;
}

/** The characteristics that all reasons share, and the others of each reason. */
function factored({ sufficient_reasons, necessary }: Explanation): [Characteristic[], Characteristic[][]] {
  const shared = new Set(necessary?.characteristics.map((each) => each.feature));
  const others = sufficient_reasons.shown.map((term) => term.characteristics.filter((each) => !shared.has(each.feature)));
  return [necessary?.characteristics ?? [], others.some((each) => each.length === 0) ? [] : others];
}

/** The complete reason as a formula; null where not all sufficient reasons are listed. */
export function reasonsAsText(explanation: Explanation): string | null {
  if (!listsAllReasons(explanation)) return null;
  const [shared, others] = factored(explanation);
  const terms = others.map((each) => each.map(({ text }) => text).join(" & "));
  const disjunction = terms.length === 0 ? [] : [shared.length ? `(${terms.join(" | ")})` : terms.join(" | ")];
  return [...shared.map(({ text }) => text), ...disjunction].join(" & ") || "true";
}

/** The complete reason as a graph; null where not all sufficient reasons are listed. */
export function reasonsAsGraph(explanation: Explanation): Graph | null {
  if (!listsAllReasons(explanation)) return null;
  const nodes: Node[] = [];
  const edges: Graph["edges"] = [];
  const add = (kind: Node["kind"], text: string, inputs: string[], literal?: Characteristic) => {
    const id = String(nodes.length);
    const condition = { feature: literal?.feature ?? null, cells: literal ? [literal.cell] : null };
    nodes.push({ id, kind, text, on_path: true, hidden_children: 0, ...condition });
    edges.push(...inputs.map((to) => ({ from: id, to, text: "", on_path: true })));
    return id;
  };
  const gate = (kind: "and" | "or", inputs: string[]) => (inputs.length === 1 ? inputs[0]! : add(kind, kind, inputs));
  const literals = (of: Characteristic[]) => of.map((each) => add("literal", each.text, [], each));
  const [shared, others] = factored(explanation);
  const disjunction = others.length ? [gate("or", others.map((each) => gate("and", literals(each))))] : [];
  const inputs = [...literals(shared), ...disjunction];
  const root = inputs.length ? gate("and", inputs) : add("true", "true", []);
  return { nodes, edges, root, total: nodes.length };
}
