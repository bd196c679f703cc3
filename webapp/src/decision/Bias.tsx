/** Protected features, chosen by click; whether the decision or the classifier hangs on them, and the proof. */
import type { BiasAnswer, Model } from "../api.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { labelText } from "../values.ts";
import { Protected } from "./Protected.tsx";
import { SideBySide } from "./SideBySide.tsx";
import type { Case } from "./useCase.ts";

export function Bias({ about }: { about: Case }) {
  const { model } = usePage();
  const { bias } = about;
  const some = about.protected.length > 0;
  return (
    <section id="bias" tabindex={-1}>
      <div class="card">
        <h2>Bias</h2>
        <p class="quiet">Which features should make no difference? Choose them, and see whether they do.</p>
        <Protected chosen={about.protected} />
        {some && bias.problem && <ProblemNotice problem={bias.problem} again={bias.again} />}
        {some && bias.answer && (
          <div class={bias.fresh ? "pair" : "pair stale"} aria-live="polite">
            <OfDecision about={about} answer={bias.answer} />
            <OfClassifier model={model} answer={bias.answer} />
          </div>
        )}
      </div>
    </section>
  );
}

function OfDecision({ about, answer }: { about: Case; answer: BiasAnswer }) {
  const { model } = usePage();
  const { decision } = answer;
  if (!decision) return null;
  const label = about.decided.answer ? about.decided.answer.label_text : "…";
  return (
    <div class="finding">
      <h3 class={decision.biased ? "biased" : "fair"}>
        {decision.biased ? "▲ This decision is biased" : "✓ This decision is not biased"}
      </h3>
      <p>
        {decision.biased
          ? "A case that differs only in protected features is decided otherwise:"
          : "Every case that differs from this one only in protected features gets the same decision."}
      </p>
      {decision.witness && (
        <SideBySide
          titles={["This case", "Witness"]}
          instances={[about.now, decision.witness]}
          labels={[label, labelText(model, decision.witness_label)]}
        />
      )}
    </div>
  );
}

const VERDICTS = {
  true: {
    title: "▲ The classifier is biased",
    text: "It decides these two differently, and they differ only in protected features:",
  },
  false: {
    title: "✓ The classifier is not biased",
    text: "No two cases that differ only in protected features are decided differently.",
  },
  null: { title: "? The classifier", text: "Whether any decision is biased is not known." },
};

function OfClassifier({ model, answer: { classifier } }: { model: Model; answer: BiasAnswer }) {
  const [one, other] = classifier.pair ?? [];
  return (
    <div class="finding">
      <h3 class={classifier.biased ? "biased" : "fair"}>{VERDICTS[`${classifier.biased}`].title}</h3>
      <p>{VERDICTS[`${classifier.biased}`].text}</p>
      {one && other && (
        <SideBySide
          titles={["One case", "The other"]}
          instances={[one, other]}
          labels={classifier.labels.map((label) => labelText(model, label))}
        />
      )}
      {classifier.note && <p class="quiet">{classifier.note}</p>}
      {classifier.proof && <p class="quiet">{`Proof: ${classifier.proof}`}</p>}
    </div>
  );
}
