/** The complete reason as text and as a drawing that shows which of its parts still hold. */
import { useMemo } from "preact/hooks";
import { post } from "../api/client.ts";
import type { Explanation, Graph, Term } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { ErrorNotice } from "../components/Notice.tsx";
import { groupedNumber } from "../format.ts";
import { collapse } from "../graph/collapse.ts";
import { evaluateReason } from "../graph/evaluateReason.ts";
import { GraphView } from "../graph/GraphView.tsx";
import { mergeGates } from "../graph/mergeGates.ts";
import { reasonsAsGraph, reasonsAsText } from "../graph/reasonsAsGraph.ts";
import { useQuery } from "../useQuery.ts";
import { NecessaryCharacteristics } from "./SufficientReasons.tsx";
import { TermChips } from "./TermChips.tsx";
import type { CurrentDecision } from "./useDecision.ts";

export function CompleteReason({ current, explanation }: { current: CurrentDecision; explanation: Explanation }) {
  const { state, navigate } = useApp();
  const { startExplanation, changed } = current;
  const hasChanges = changed.size > 0;
  const showsStart = hasChanges && state.reasonOf === "start";
  const shown = showsStart ? (startExplanation.fresh ? startExplanation.data : null) : explanation;
  return (
    <div class="card">
      <h2>Complete reason</h2>
      {hasChanges && (
        <div class="choice" role="group" aria-label="Which case to explain">
          {(["now", "start"] as const).map((which) => (
            <button
              type="button"
              key={which}
              aria-pressed={state.reasonOf === which}
              onClick={() => navigate({ reasonOf: which, expandedReasonNodes: [] }, true)}
            >
              {which === "start" ? "Start case" : "Current case"}
            </button>
          ))}
        </div>
      )}
      {startExplanation.error && shown === null && <ErrorNotice error={startExplanation.error} retry={startExplanation.retry} />}
      {shown && (
        <>
          {shown.widened && <WidenedReason term={shown.widened} label={shown.label_text} />}
          <p class="quiet">{caption(shown, showsStart)}</p>
          <ReasonText of={shown} />
          <ReasonGraph current={current} of={shown} />
          <NecessaryCharacteristics explanation={shown} />
        </>
      )}
    </div>
  );
}

function caption({ label_text }: Explanation, showsStart: boolean): string {
  return showsStart
    ? `Why the start case is ${label_text}. Parts that still hold are highlighted. If the top node is, the decision stays the same.`
    : `While this condition holds, the decision stays ${label_text}, whatever the other values are.`;
}

/** One sufficient reason with each value widened to a range. The formula below is about narrower cells. */
function WidenedReason({ term, label }: { term: Term; label: string }) {
  return (
    <div class="widened">
      <h3>One reason, with the widest ranges</h3>
      <p class="quiet">{`For values in these ranges the decision is ${label}, whatever the other values are.`}</p>
      <TermChips term={term} />
    </div>
  );
}

const LONG_TEXT = 400;
const NO_CIRCUIT =
  "This model is explained by search, which does not build the complete reason. Sufficient reasons are found one at a time.";

function ReasonText({ of }: { of: Explanation }) {
  const circuitText = of.complete_reason?.text ?? null;
  const text = circuitText !== null && circuitText.length <= LONG_TEXT ? circuitText : (reasonsAsText(of) ?? circuitText);
  if (text === null) return <p>{NO_CIRCUIT}</p>;
  if (text.length <= LONG_TEXT) return <p class="formula">{text}</p>;
  return (
    <details>
      <summary>{`As text (${groupedNumber(text.length)} characters)`}</summary>
      <p class="formula">{text}</p>
    </details>
  );
}

/** The circuit or the disjunction of all reasons, which are equivalent: whichever has fewer nodes. */
function smallestGraph(of: Explanation): Graph {
  const circuit = of.complete_reason && mergeGates(of.complete_reason.graph);
  const disjunction = reasonsAsGraph(of);
  const size = (graph: Graph) => (isPartial(graph) ? Infinity : graph.nodes.length);
  const smaller = circuit && disjunction && size(circuit) <= size(disjunction) ? circuit : (disjunction ?? circuit);
  return smaller ?? { nodes: [], edges: [], root: "", total: 0 };
}

const isPartial = (graph: Graph) => graph.nodes.some((node) => node.hidden_children > 0);

/** The drawing; the server sends large reasons in parts, on request. */
function ReasonGraph({ current, of }: { current: CurrentDecision; of: Explanation }) {
  const { model, state, navigate } = useApp();
  const cells = current.decision.data?.cells ?? of.cells;
  const initial = useMemo(() => smallestGraph(of), [of]);
  const enabled = isPartial(initial) && state.expandedReasonNodes.length > 0;
  const request = post("graph", { what: "reason", instance: of.instance, expand: state.expandedReasonNodes });
  const expanded = useQuery(request, { enabled });
  const whole: Graph = enabled && expanded.fresh && expanded.data ? expanded.data : initial;
  const graph = useMemo(
    () => (isPartial(whole) ? whole : collapse(whole, [], state.expandedReasonNodes)),
    [whole, state.expandedReasonNodes],
  );
  const truths = useMemo(() => {
    const cellOf = new Map(model.features.map(({ name }, i) => [name, cells[i] ?? -1]));
    return evaluateReason(whole, (literal) => literal.cells?.includes(cellOf.get(literal.feature ?? "") ?? -1) ?? null);
  }, [whole, cells]);
  const necessary = useMemo(() => new Set(of.necessary?.characteristics.map((each) => each.text)), [of]);
  if (graph.nodes.length === 0) return null;
  return (
    <>
      {expanded.error && <ErrorNotice error={expanded.error} retry={expanded.retry} />}
      <GraphView
        graph={graph}
        label={`Complete reason for ${of.label_text}`}
        truths={truths}
        necessary={necessary}
        maxHeight={460}
        onExpand={(id) => navigate({ expandedReasonNodes: [...new Set([...state.expandedReasonNodes, id])] }, true)}
      />
      <p class="key">
        <span><i class="swatch lit" /> holds</span>
        {of !== current.explanation.data && <span><i class="swatch out" /> no longer holds</span>}
        {necessary.size > 0 && <span><span class="must">◆</span> necessary</span>}
        {isPartial(graph) && <span>{`${groupedNumber(graph.total)} nodes in total; click + to show more`}</span>}
      </p>
    </>
  );
}
