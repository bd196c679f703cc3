/** Counterfactuals: the smallest changes that flip the decision, and the contrastive sets. */
import { useState } from "preact/hooks";
import type { Counterfactual, Explanation } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { FeatureToggles } from "../components/FeatureToggles.tsx";
import { valueText } from "../format.ts";
import { changedValues } from "../urlState.ts";
import { FeatureShares, TermCount, TermList } from "./TermList.tsx";
import type { CurrentDecision } from "./useDecision.ts";

const CONSTANT = "No change of values gives another decision.";

export function CounterfactualSection({ current, explanation }: { current: CurrentDecision; explanation: Explanation }) {
  const { state, navigate } = useApp();
  const { changes, contrastive_sets } = explanation;
  // Open at first if a link names immutable features; later the user decides.
  const [initiallyOpen] = useState(state.immutable.length > 0);
  const constant = contrastive_sets.count === "0";
  return (
    <section id="what-if" tabindex={-1} class="pair">
      <div class="card">
        <h2>Smallest changes that flip the decision</h2>
        {changes.length > 0 && <p class="quiet hint">Click a change to apply it; you can undo it.</p>}
        {changes.length === 0 && <p class="quiet">{constant ? CONSTANT : noneFound(state.immutable)}</p>}
        <ul class="flips">
          {changes.map((change) => (
            <li key={JSON.stringify(change.instance)}>
              <CounterfactualButton current={current} counterfactual={change} />
            </li>
          ))}
        </ul>
        <details open={initiallyOpen}>
          <summary>{state.immutable.length ? `Must not change: ${state.immutable.join(", ")}` : "Choose features that must not change"}</summary>
          <FeatureToggles label="Features that must not change" chosen={state.immutable} onChoose={(immutable) => navigate({ immutable }, true)} />
        </details>
        <p class="quiet">You can also change any value of the case and see whether the decision changes.</p>
      </div>
      <div class="card">
        <h2>
          Contrastive sets <TermCount of={contrastive_sets} />
        </h2>
        <p class="quiet">{constant ? CONSTANT : "Changing only the values in one of these sets can flip the decision. None can be smaller."}</p>
        <TermList of={contrastive_sets} />
        <FeatureShares of={contrastive_sets} title="Share of the sets that contain a feature" />
      </div>
    </section>
  );
}

function noneFound(immutable: string[]): string {
  if (immutable.length === 0) return "None was found. This does not prove that there is none.";
  return `None was found that leaves ${immutable.join(", ")} unchanged.`;
}

function CounterfactualButton({ current, counterfactual }: { current: CurrentDecision; counterfactual: Counterfactual }) {
  const { model, navigate } = useApp();
  const feature = (name: string) => model.features.find((each) => each.name === name);
  return (
    <button
      type="button"
      class="flip"
      onClick={() => {
        navigate({ changes: changedValues(current.startInstance, counterfactual.instance) });
        scrollTo({ top: 0 });
      }}
    >
      <span class="steps">
        {counterfactual.changed.map((each) => (
          <span key={each.feature} class="step">
            <b>{each.feature}</b> {valueText(feature(each.feature), each.from)} <span aria-label="to">→</span>{" "}
            <em>{valueText(feature(each.feature), each.to)}</em>
          </span>
        ))}
      </span>
      <span class="outcome">gives {counterfactual.label_text}</span>
    </button>
  );
}
