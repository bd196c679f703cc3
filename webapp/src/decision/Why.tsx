/** The complete reason: as text, and as a drawing that shows which parts of it still hold. */
import { useMemo } from "preact/hooks";
import type { Explanation, Graph, Term } from "../api.ts";
import { useAsked } from "../asking.ts";
import { Drawing } from "../graph/Drawing.tsx";
import { flat } from "../graph/flat.ts";
import { folded } from "../graph/folded.ts";
import { lights } from "../graph/lit.ts";
import { termGraph, termText } from "../graph/terms.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { Chips } from "./Chips.tsx";
import { Necessary } from "./Reasons.tsx";
import type { Case } from "./useCase.ts";

export function Why({ about, explanation }: { about: Case; explanation: Explanation }) {
  const { state, go } = usePage();
  const { origin, changed } = about;
  const comparing = changed.size > 0;
  const drawn = comparing && state.reason === "start" ? (origin.fresh ? origin.answer : null) : explanation;
  return (
    <div class="card">
      <h2>Complete reason</h2>
      {comparing && (
        <div class="choice" role="group" aria-label="Whose reason is drawn">
          {(["now", "start"] as const).map((which) => (
            <button type="button" key={which} aria-pressed={state.reason === which} onClick={() => go({ reason: which, parts: [] }, true)}>
              {which === "start" ? "Of the starting case" : "Of the case now"}
            </button>
          ))}
        </div>
      )}
      {origin.problem && drawn === null && <ProblemNotice problem={origin.problem} again={origin.again} />}
      {drawn && (
        <>
          {drawn.widened && <Widened term={drawn.widened} label={drawn.label_text} />}
          <p class="quiet">{hint(drawn, comparing && drawn !== explanation)}</p>
          <Reason of={drawn} />
          <Lit about={about} of={drawn} />
          <Necessary explanation={drawn} />
        </>
      )}
    </div>
  );
}

function hint({ label_text }: Explanation, compared: boolean): string {
  return compared
    ? `Why the starting case is ${label_text}. Parts that still hold are lit; if the top is, the decision sticks.`
    : `Keep values that make this true, and the decision stays ${label_text} whatever the others are.`;
}

/** One reason, of which the model's narrow cells below are a part. */
function Widened({ term, label }: { term: Term; label: string }) {
  return (
    <div class="widened">
      <h3>As far as it goes</h3>
      <p class="quiet">{`With values in these ranges the decision is ${label}, whatever the others are.`}</p>
      <Chips term={term} />
    </div>
  );
}

const LONG = 400;
const SEARCHED = "This model is answered by search, which makes no complete reason. Sufficient reasons are given one by one.";

function Reason({ of }: { of: Explanation }) {
  const whole = of.complete_reason?.text ?? null;
  const text = whole !== null && whole.length <= LONG ? whole : (termText(of) ?? whole);
  if (text === null) return <p>{SEARCHED}</p>;
  if (text.length <= LONG) return <p class="formula">{text}</p>;
  return (
    <details>
      <summary>{`As text (${text.length.toLocaleString("en")} characters)`}</summary>
      <p class="formula">{text}</p>
    </details>
  );
}

/** Of the circuit and the list of all reasons, which mean the same, what has fewer parts. */
function drawnBy(of: Explanation): Graph {
  const circuit = of.complete_reason && flat(of.complete_reason.graph);
  const listed = termGraph(of);
  const size = (graph: Graph) => (isPartial(graph) ? Infinity : graph.nodes.length);
  const better = circuit && listed && size(circuit) <= size(listed) ? circuit : (listed ?? circuit);
  return better ?? { nodes: [], edges: [], root: "", total: 0 };
}

const isPartial = (graph: Graph) => graph.nodes.some((node) => node.hidden_children > 0);

/** The drawing; of a large reason more is asked for part by part. */
function Lit({ about, of }: { about: Case; of: Explanation }) {
  const { model, state, go } = usePage();
  const cells = about.decided.answer?.cells ?? of.cells;
  const first = useMemo(() => drawnBy(of), [of]);
  const asking = isPartial(first) && state.parts.length > 0;
  const more = useAsked<Graph>("graph", { what: "reason", instance: of.instance, expand: state.parts }, asking);
  const whole = asking && more.fresh && more.answer ? more.answer : first;
  const graph = useMemo(() => (isPartial(whole) ? whole : folded(whole, [], state.parts)), [whole, state.parts]);
  const lit = useMemo(() => {
    const at = new Map(model.features.map(({ name }, i) => [name, cells[i] ?? -1]));
    return lights(whole, ({ feature, cells: good }) => good?.includes(at.get(feature ?? "") ?? -1) ?? null);
  }, [whole, cells]);
  const marked = useMemo(() => new Set(of.necessary?.characteristics.map((each) => each.text)), [of]);
  if (graph.nodes.length === 0) return null;
  return (
    <>
      {more.problem && <ProblemNotice problem={more.problem} again={more.again} />}
      <Drawing
        graph={graph}
        label={`Complete reason for ${of.label_text}`}
        lit={lit}
        marked={marked}
        tallest={460}
        onOpen={(id) => go({ parts: [...new Set([...state.parts, id])] }, true)}
      />
      <p class="key">
        <span><i class="swatch lit" /> holds</span>
        {of !== about.explained.answer && <span><i class="swatch out" /> no longer holds</span>}
        {marked.size > 0 && <span><span class="must">◆</span> necessary</span>}
        {isPartial(graph) && <span>{`${graph.total.toLocaleString("en")} parts in all; a plus opens more`}</span>}
      </p>
    </>
  );
}
