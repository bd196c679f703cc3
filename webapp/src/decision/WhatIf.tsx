/** What would change the decision: the smallest changes, to try with a click, and all minimal sets. */
import { useState } from "preact/hooks";
import type { Change, Explanation } from "../api.ts";
import { usePage } from "../page.ts";
import { changeTo } from "../state.ts";
import { shown } from "../values.ts";
import { Chosen } from "./Protected.tsx";
import { Count, Shares, Terms } from "./Reasons.tsx";
import type { Case } from "./useCase.ts";

const NEVER = "No change of values leads to another decision.";

export function WhatIf({ about, explanation }: { about: Case; explanation: Explanation }) {
  const { state, go } = usePage();
  const { changes, contrastive_sets } = explanation;
  // Open from the start where a link names some; then the reader's, whose focus is in it.
  const [named] = useState(state.fixed.length > 0);
  const never = contrastive_sets.count === "0";
  return (
    <section id="what-if" tabindex={-1} class="pair">
      <div class="card">
        <h2>Smallest changes that flip it</h2>
        {changes.length > 0 && <p class="quiet hint">Try one: the page shows the case with it, and you can undo it.</p>}
        {changes.length === 0 && <p class="quiet">{never ? NEVER : noneOf(state.fixed)}</p>}
        <ul class="flips">
          {changes.map((change) => (
            <li key={JSON.stringify(change.instance)}>
              <Flip about={about} change={change} />
            </li>
          ))}
        </ul>
        <details open={named}>
          <summary>{state.fixed.length ? `May not change: ${state.fixed.join(", ")}` : "Name what may not change"}</summary>
          <Chosen label="Features that may not change" chosen={state.fixed} onChoose={(fixed) => go({ fixed }, true)} />
        </details>
        <p class="quiet">Or change any value of the case, and see whether the decision sticks.</p>
      </div>
      <div class="card">
        <h2>
          What it hangs on <Count of={contrastive_sets} />
        </h2>
        <p class="quiet">{never ? NEVER : "In each line, some change of just these values gives another decision."}</p>
        <Terms of={contrastive_sets} />
        <Shares of={contrastive_sets} title="Share of the lines that mention a feature" />
      </div>
    </section>
  );
}

function noneOf(fixed: string[]): string {
  if (fixed.length === 0) return "None was found; that there is none is not proved.";
  return `None was found that leaves ${fixed.join(", ")} as ${fixed.length === 1 ? "it is" : "they are"}.`;
}

function Flip({ about, change }: { about: Case; change: Change }) {
  const { model, go } = usePage();
  const feature = (name: string) => model.features.find((each) => each.name === name);
  return (
    <button
      type="button"
      class="flip"
      onClick={() => {
        go({ change: changeTo(about.start, change.instance) });
        scrollTo({ top: 0 });
      }}
    >
      <span class="steps">
        {change.changed.map((each) => (
          <span key={each.feature} class="step">
            <b>{each.feature}</b> {shown(feature(each.feature), each.from)} <span aria-label="to">→</span>{" "}
            <em>{shown(feature(each.feature), each.to)}</em>
          </span>
        ))}
      </span>
      <span class="outcome">gives {change.label_text}</span>
    </button>
  );
}
