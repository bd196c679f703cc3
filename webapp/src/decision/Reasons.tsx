/** Sufficient reasons, shortest first, with their number and how often each feature occurs. */
import type { Explanation, Term, TermSet } from "../api.ts";
import { Bars } from "../Bars.tsx";
import { countText } from "../values.ts";
import { Chips } from "./Chips.tsx";

export function Reasons({ explanation }: { explanation: Explanation }) {
  const { sufficient_reasons, necessary } = explanation;
  const must = new Set(necessary?.characteristics.map((each) => each.feature));
  return (
    <div class="card">
      <h2>
        Sufficient reasons <Count of={sufficient_reasons} />
      </h2>
      <p class="quiet">Each alone forces the decision, and no part of it can be left out. Shortest first.</p>
      <Terms of={sufficient_reasons} necessary={must} />
      <Shares of={sufficient_reasons} title="Share of the reasons that mention a feature" />
    </div>
  );
}

/** What is part of every reason, and whether it is one itself. */
export function Necessary({ explanation: { necessary, necessary_reason } }: { explanation: Explanation }) {
  if (!necessary) return null;
  const must = new Set(necessary.characteristics.map((each) => each.feature));
  return (
    <>
      <h3>Necessary characteristics</h3>
      {must.size === 0 ? (
        <p class="quiet">None: for each single value there is a reason without it.</p>
      ) : (
        <>
          <Chips term={necessary} necessary={must} />
          <p class="quiet">
            {necessary_reason
              ? "They are also sufficient: this is the one reason for the decision."
              : "Part of every reason, but not enough on their own."}
          </p>
        </>
      )}
    </>
  );
}

export function Count({ of: { count } }: { of: TermSet }) {
  return count === null ? null : <span class="count">{countText(count)}</span>;
}

const FIRST_TERMS = 6;

/** Terms in order; of many, the rest is folded away. */
export function Terms({ of: { shown, count, note }, necessary }: { of: TermSet; necessary?: Set<string> }) {
  const list = (terms: Term[], start: number) => (
    <ol class="terms">
      {terms.map((term, i) => (
        <li key={term.text} data-number={start + i}>
          <Chips term={term} {...(necessary && { necessary })} />
        </li>
      ))}
    </ol>
  );
  const rest = shown.slice(FIRST_TERMS);
  return (
    <>
      {list(shown.slice(0, FIRST_TERMS), 1)}
      {rest.length > 0 && (
        <details>
          <summary>{`${rest.length} more`}</summary>
          {list(rest, FIRST_TERMS + 1)}
        </details>
      )}
      {count !== null && count !== String(shown.length) && (
        <p class="quiet">{`The first ${shown.length} of ${countText(count)}.`}</p>
      )}
      {note && <p class="quiet">{note}</p>}
    </>
  );
}

export function Shares({ of: { shares }, title }: { of: TermSet; title: string }) {
  const named = shares.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  return <Bars caption={title} bars={named.slice(0, 12).map(({ feature, share }) => ({ name: feature, share }))} />;
}
