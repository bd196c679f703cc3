/** The decision, in one line and in sentences; what the changes did to it. */
import { useState } from "preact/hooks";
import { saveJson } from "../download.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { counted, labelText, shown } from "../values.ts";
import type { Case } from "./useCase.ts";

const FIRST_SENTENCES = 3;

function impossible({ decided, apart }: Case): string | undefined {
  if (decided.problem?.status !== 400) return undefined;
  return apart === null ? "Not possible" : apart ? "These values are not possible together" : "This value is not possible";
}

export function Verdict({ about }: { about: Case }) {
  const { model } = usePage();
  const { decided, explained, now } = about;
  const label = decided.problem ? "No decision" : (decided.answer?.label_text ?? "…");
  const sentences = decided.problem ? [] : (explained.answer?.sentences ?? []);
  const save = () =>
    saveJson("decision", {
      model: model.name, address: location.href, instance: now, protected: about.protected,
      explanation: explained.answer, what_if: about.evenIf.fresh ? about.evenIf.answer : null,
      bias: about.bias.fresh ? about.bias.answer : null,
    });
  return (
    <section class="card verdict" aria-label="Decision">
      <div class="head">
        <p class="over">Decision</p>
        <div class="actions">
          <CopyLink />
          <button type="button" onClick={save} disabled={!explained.fresh}>JSON</button>
          <button type="button" onClick={() => print()}>Print or PDF</button>
        </div>
      </div>
      <h1 aria-live="polite" aria-atomic="true" class={decided.fresh || decided.problem ? "" : "stale"}>
        {!decided.problem && <span class="sr">The decision is </span>}
        {label}
      </h1>
      {decided.problem && <ProblemNotice problem={decided.problem} title={impossible(about)} again={decided.again} />}
      <Sticks about={about} />
      <div class={explained.fresh || decided.problem ? "sentences" : "sentences stale"}>
        {sentences[0] && <p class="lead">{sentences[0]}</p>}
        <ul>{sentences.slice(1, FIRST_SENTENCES + 1).map((each) => <li key={each}>{each}</li>)}</ul>
        {sentences.length > FIRST_SENTENCES + 1 && (
          <details>
            <summary>{`${sentences.length - FIRST_SENTENCES - 1} more sentences`}</summary>
            <ul>{sentences.slice(FIRST_SENTENCES + 1).map((each) => <li key={each}>{each}</li>)}</ul>
          </details>
        )}
      </div>
      <dl class="values print-only">
        {model.features.map((feature) => (
          <div key={feature.name}>
            <dt>{feature.name}</dt>
            <dd>{shown(feature, now[feature.name] ?? null)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The address says all that is on the page; whoever opens it sees the same. */
function CopyLink() {
  const [copied, setCopied] = useState("");
  const copy = () => navigator.clipboard.writeText(location.href).then(() => setCopied(location.href));
  return (
    <button type="button" onClick={copy}>{copied && copied === location.href ? "Copied" : "Copy link"}</button>
  );
}

/** Whether the decision of the starting case survives the changes, and because of what. */
function Sticks({ about }: { about: Case }) {
  const { model } = usePage();
  const { evenIf, changed, before, decided } = about;
  if (decided.problem) return null;
  if (evenIf.problem && changed.size > 0) return <ProblemNotice problem={evenIf.problem} again={evenIf.again} />;
  if (changed.size === 0 || !evenIf.answer) return null;
  const { sticks, sentence } = evenIf.answer;
  const first = before.answer ? labelText(model, before.answer.label) : "…";
  return (
    <div class={`sticks ${sticks ? "kept" : "turned"} ${evenIf.fresh ? "" : "stale"}`} role="status">
      <p>
        <strong>{sticks ? `✓ Still ${first}` : `↻ No longer ${first}`}</strong>
        {` with ${counted(changed.size, "value")} changed. `}
        {sentence}
      </p>
    </div>
  );
}
