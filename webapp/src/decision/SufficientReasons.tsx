/** Sufficient reasons, shortest first, and the characteristics that all of them share. */
import type { Explanation } from "../api/schemas.ts";
import { TermChips } from "./TermChips.tsx";
import { FeatureShares, TermCount, TermList } from "./TermList.tsx";

export function SufficientReasons({ explanation }: { explanation: Explanation }) {
  const { sufficient_reasons, necessary } = explanation;
  return (
    <div class="card">
      <h2>
        Sufficient reasons <TermCount of={sufficient_reasons} />
      </h2>
      <p class="quiet">Each is enough for the decision, and no part of it can be omitted. Shortest first.</p>
      <TermList of={sufficient_reasons} necessary={new Set(necessary?.characteristics.map((each) => each.feature))} />
      <FeatureShares of={sufficient_reasons} title="Share of the reasons that contain a feature" />
    </div>
  );
}

/** The characteristics that are part of every sufficient reason, and whether they are one themselves. */
export function NecessaryCharacteristics({ explanation: { necessary, necessary_reason } }: { explanation: Explanation }) {
  if (!necessary) return null;
  const features = new Set(necessary.characteristics.map((each) => each.feature));
  return (
    <>
      <h3>Necessary characteristics</h3>
      {features.size === 0 ? (
        <p class="quiet">None: no value is part of every sufficient reason.</p>
      ) : (
        <>
          <TermChips term={necessary} necessary={features} />
          <p class="quiet">
            {necessary_reason
              ? "They are also sufficient: this is the only reason for the decision."
              : "They are part of every reason, but not sufficient by themselves."}
          </p>
        </>
      )}
    </>
  );
}
