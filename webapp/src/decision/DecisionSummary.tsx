/** The decision in one line and in sentences, and what the changes did to it. */
import { useState } from "preact/hooks";
import { useApp } from "../AppContext.ts";
import { ErrorNotice } from "../components/Notice.tsx";
import { saveJson } from "../download.ts";
import { labelText, plural, valueText } from "../format.ts";
import type { CurrentDecision } from "./useDecision.ts";

/** Sentences after the first that are not collapsed. */
const SHOWN_SENTENCES = 3;

function impossibleTitle({ decision, impossibleTogether }: CurrentDecision): string | undefined {
  if (decision.error?.status !== 400) return undefined;
  if (impossibleTogether === null) return "Not possible";
  return impossibleTogether ? "These values are not possible together" : "This value is not possible";
}

export function DecisionSummary({ current }: { current: CurrentDecision }) {
  const { model } = useApp();
  const { decision, explanation, instance } = current;
  const label = decision.error ? "No decision" : (decision.data?.label_text ?? "…");
  const sentences = decision.error ? [] : (explanation.data?.sentences ?? []);
  const save = () =>
    saveJson("decision", {
      model: model.name, address: location.href, instance, protected: current.protected,
      explanation: explanation.data, what_if: current.evenIf.fresh ? current.evenIf.data : null,
      bias: current.bias.fresh ? current.bias.data : null,
    });
  return (
    <section class="card verdict" aria-label="Decision">
      <div class="head">
        <p class="over">Decision</p>
        <div class="actions">
          <CopyLink />
          <button type="button" onClick={save} disabled={!explanation.fresh}>JSON</button>
          <button type="button" onClick={() => print()}>Print or PDF</button>
        </div>
      </div>
      <h1 aria-live="polite" aria-atomic="true" class={decision.fresh || decision.error ? "" : "stale"}>
        {!decision.error && <span class="sr">The decision is </span>}
        {label}
      </h1>
      {decision.error && <ErrorNotice error={decision.error} title={impossibleTitle(current)} retry={decision.retry} />}
      <EffectOfChanges current={current} />
      <div class={explanation.fresh || decision.error ? "sentences" : "sentences stale"}>
        {sentences[0] && <p class="lead">{sentences[0]}</p>}
        <ul>{sentences.slice(1, SHOWN_SENTENCES + 1).map((each) => <li key={each}>{each}</li>)}</ul>
        {sentences.length > SHOWN_SENTENCES + 1 && (
          <details>
            <summary>{`${sentences.length - SHOWN_SENTENCES - 1} more sentences`}</summary>
            <ul>{sentences.slice(SHOWN_SENTENCES + 1).map((each) => <li key={each}>{each}</li>)}</ul>
          </details>
        )}
      </div>
      <dl class="values print-only">
        {model.features.map((feature) => (
          <div key={feature.name}>
            <dt>{feature.name}</dt>
            <dd>{valueText(feature, instance[feature.name] ?? null)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The URL holds the whole state, so whoever opens it sees the same page. */
function CopyLink() {
  const [copied, setCopied] = useState("");
  const copy = () => navigator.clipboard.writeText(location.href).then(() => setCopied(location.href));
  return (
    <button type="button" onClick={copy}>{copied && copied === location.href ? "Copied" : "Copy link"}</button>
  );
}

/** Whether the decision on the start instance stays the same after the changes, and why. */
function EffectOfChanges({ current }: { current: CurrentDecision }) {
  const { model } = useApp();
  const { evenIf, changed, startDecision, decision } = current;
  if (decision.error) return null;
  if (evenIf.error && changed.size > 0) return <ErrorNotice error={evenIf.error} retry={evenIf.retry} />;
  if (changed.size === 0 || !evenIf.data) return null;
  const { sticks, sentence } = evenIf.data;
  const label = startDecision.data ? labelText(model, startDecision.data.label) : "…";
  return (
    <div class={`sticks ${sticks ? "kept" : "turned"} ${evenIf.fresh ? "" : "stale"}`} role="status">
      <p>
        <strong>{sticks ? `✓ Still ${label}` : `↻ No longer ${label}`}</strong>
        {` after ${plural(changed.size, "change")}. `}
        {sentence}
      </p>
    </div>
  );
}
