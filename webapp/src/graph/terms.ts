/** A complete reason drawn from all sufficient reasons, of which it is the disjunction. Pure.
 *
 * Circuits of reasons can have hundreds of parts where there are two reasons; this form is then
 * the shorter one, and means the same. What all reasons share stands once, at the top.
 */
import type { Characteristic, Explanation, Graph, GraphNode } from "../api.ts";

/** Whether every sufficient reason is listed. */
function complete({ sufficient_reasons: { count, shown }, necessary }: Explanation): boolean {
  return necessary !== null && count !== null && count === String(shown.length) && shown.length > 0;
}

/** The characteristics that all reasons share, and what each has besides. */
function parts({ sufficient_reasons, necessary }: Explanation): [Characteristic[], Characteristic[][]] {
  const shared = new Set(necessary?.characteristics.map((each) => each.feature));
  const rest = sufficient_reasons.shown.map((term) => term.characteristics.filter((each) => !shared.has(each.feature)));
  return [necessary?.characteristics ?? [], rest.some((each) => each.length === 0) ? [] : rest];
}

export function termText(explanation: Explanation): string | null {
  if (!complete(explanation)) return null;
  const [shared, rest] = parts(explanation);
  const either = rest.map((each) => each.map(({ text }) => text).join(" & "));
  const last = either.length === 0 ? [] : [shared.length ? `(${either.join(" | ")})` : either.join(" | ")];
  return [...shared.map(({ text }) => text), ...last].join(" & ") || "true";
}

export function termGraph(explanation: Explanation): Graph | null {
  if (!complete(explanation)) return null;
  const nodes: GraphNode[] = [];
  const edges: Graph["edges"] = [];
  const add = (kind: string, text: string, inputs: string[], literal?: Characteristic) => {
    const id = String(nodes.length);
    const about = { feature: literal?.feature ?? null, cells: literal ? [literal.cell] : null };
    nodes.push({ id, kind, text, on_path: true, hidden_children: 0, ...about });
    edges.push(...inputs.map((to) => ({ from: id, to, text: "", on_path: true })));
    return id;
  };
  const gate = (kind: "and" | "or", inputs: string[]) => (inputs.length === 1 ? inputs[0]! : add(kind, kind, inputs));
  const literals = (of: Characteristic[]) => of.map((each) => add("literal", each.text, [], each));
  const [shared, rest] = parts(explanation);
  const either = rest.length ? [gate("or", rest.map((each) => gate("and", literals(each))))] : [];
  const inputs = [...literals(shared), ...either];
  const root = inputs.length ? gate("and", inputs) : add("true", "true", []);
  return { nodes, edges, root, total: nodes.length };
}
