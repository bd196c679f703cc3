/** Bias: the protected features, and whether the decision or the classifier depends on them, with proof. */
import type { Bias, Model } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { ProtectedFeatures } from "../components/FeatureToggles.tsx";
import { InstanceDiff } from "../components/InstanceDiff.tsx";
import { ErrorNotice } from "../components/Notice.tsx";
import { labelText } from "../format.ts";
import type { CurrentDecision } from "./useDecision.ts";

export function BiasSection({ current }: { current: CurrentDecision }) {
  const { model } = useApp();
  const { bias } = current;
  const some = current.protected.length > 0;
  return (
    <section id="bias" tabindex={-1}>
      <div class="card">
        <h2>Bias</h2>
        <p class="quiet">Choose protected features: those that should not affect the decision.</p>
        <ProtectedFeatures chosen={current.protected} />
        {some && bias.error && <ErrorNotice error={bias.error} retry={bias.retry} />}
        {some && bias.data && (
          <div class={bias.fresh ? "pair" : "pair stale"} aria-live="polite">
            <DecisionBias current={current} bias={bias.data} />
            <ClassifierBias model={model} bias={bias.data} />
          </div>
        )}
      </div>
    </section>
  );
}

function DecisionBias({ current, bias }: { current: CurrentDecision; bias: Bias }) {
  const { model } = useApp();
  const { decision } = bias;
  if (!decision) return null;
  const label = current.decision.data ? current.decision.data.label_text : "…";
  return (
    <div class="finding">
      <h3 class={decision.biased ? "biased" : "fair"}>
        {decision.biased ? "▲ This decision is biased" : "✓ This decision is not biased"}
      </h3>
      <p>
        {decision.biased
          ? "A case that differs only in protected features gets another decision:"
          : "Every case that differs only in protected features gets the same decision."}
      </p>
      {decision.witness && (
        <InstanceDiff
          titles={["This case", "Witness"]}
          instances={[current.instance, decision.witness]}
          labels={[label, labelText(model, decision.witness_label)]}
        />
      )}
    </div>
  );
}

const VERDICTS = {
  true: {
    title: "▲ The classifier is biased",
    text: "These two cases differ only in protected features, but get different decisions:",
  },
  false: {
    title: "✓ The classifier is not biased",
    text: "Cases that differ only in protected features always get the same decision.",
  },
  null: { title: "? Bias of the classifier", text: "It is not known whether some decision is biased." },
};

function ClassifierBias({ model, bias: { classifier } }: { model: Model; bias: Bias }) {
  const [one, other] = classifier.pair ?? [];
  return (
    <div class="finding">
      <h3 class={classifier.biased ? "biased" : "fair"}>{VERDICTS[`${classifier.biased}`].title}</h3>
      <p>{VERDICTS[`${classifier.biased}`].text}</p>
      {one && other && (
        <InstanceDiff
          titles={["Case A", "Case B"]}
          instances={[one, other]}
          labels={classifier.labels.map((label) => labelText(model, label))}
        />
      )}
      {classifier.note && <p class="quiet">{classifier.note}</p>}
      {classifier.proof && <p class="quiet">{`Proof: ${classifier.proof}`}</p>}
    </div>
  );
}
