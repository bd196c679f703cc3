/** The complete reason: as text, and as a drawing that shows which parts of it still hold. */
import { useMemo } from "preact/hooks";
import type { Explanation } from "../api.ts";
import { Drawing } from "../graph/Drawing.tsx";
import { lights } from "../graph/lit.ts";
import { usePage } from "../page.ts";
import type { Case } from "./useCase.ts";

export function Why({ about, explanation }: { about: Case; explanation: Explanation }) {
  const { state, go } = usePage();
  const { origin, changed } = about;
  const comparing = changed.size > 0 && origin.answer !== null;
  const drawn = comparing && state.reason === "start" && origin.answer ? origin.answer : explanation;
  return (
    <div class="card">
      <h2>Complete reason</h2>
      {comparing && (
        <div class="choice" role="group" aria-label="Whose reason is drawn">
          {(["start", "now"] as const).map((which) => (
            <button type="button" key={which} aria-pressed={state.reason === which} onClick={() => go({ reason: which }, true)}>
              {which === "start" ? "Of the starting case" : "Of the case now"}
            </button>
          ))}
        </div>
      )}
      <p class="quiet">{hint(drawn, comparing && drawn !== explanation)}</p>
      <Reason of={drawn} />
      {drawn.complete_reason?.graph && <Lit of={drawn} changed={drawn === explanation ? new Set() : changed} />}
    </div>
  );
}

function hint({ label_text }: Explanation, compared: boolean): string {
  return compared
    ? `Why the starting case is ${label_text}. Parts that still hold are lit; if the top is, the decision sticks.`
    : `The decision is ${label_text} exactly as long as this holds of the values it has.`;
}

const LONG = 400;

function Reason({ of: { complete_reason } }: { of: Explanation }) {
  if (!complete_reason) return <p>This model is answered by search, which makes no complete reason. Sufficient reasons are given one by one.</p>;
  const { text } = complete_reason;
  if (text.length <= LONG) return <p class="formula">{text}</p>;
  return (
    <details>
      <summary>{`As text (${text.length.toLocaleString("en")} characters)`}</summary>
      <p class="formula">{text}</p>
    </details>
  );
}

function Lit({ of, changed }: { of: Explanation; changed: Set<string> }) {
  const graph = of.complete_reason?.graph ?? null;
  const key = [...changed].join("\n");
  const lit = useMemo(() => {
    const gone = new Map(of.characteristics.map((each) => [each.text, !changed.has(each.feature)]));
    return graph ? lights(graph, (text) => gone.get(text) ?? null) : new Map();
  }, [graph, key]);
  const marked = useMemo(() => new Set(of.necessary.characteristics.map((each) => each.text)), [of]);
  if (!graph) return null;
  return (
    <>
      <Drawing graph={graph} label={`Complete reason for ${of.label_text}`} lit={lit} marked={marked} tallest={460} />
      <p class="key">
        <span class="swatch lit" /> holds <span class="swatch out" /> no longer holds <span class="must">◆</span> necessary
        {graph.total > graph.nodes.length && ` · ${graph.nodes.length} of ${graph.total.toLocaleString("en")} parts drawn`}
      </p>
    </>
  );
}
