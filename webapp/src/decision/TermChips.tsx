/** A term as a row of chips, one for each characteristic; necessary ones are marked. */
import type { Term } from "../api/schemas.ts";

export function TermChips({ term, necessary }: { term: Term; necessary?: Set<string> }) {
  if (term.characteristics.length === 0) return <span class="quiet">(empty: the decision is the same for all values)</span>;
  return (
    <ul class="chips" aria-label={term.text}>
      {term.characteristics.map(({ feature, text }) => {
        const must = necessary?.has(feature);
        return (
          <li key={feature} class={must ? "must" : ""} title={must ? "Part of every sufficient reason" : undefined}>
            {must && <span aria-label="necessary">◆ </span>}
            {text}
          </li>
        );
      })}
    </ul>
  );
}
