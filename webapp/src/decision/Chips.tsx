/** A term: its characteristics one beside the other, the necessary ones marked. */
import type { Term } from "../api.ts";

export function Chips({ term, necessary }: { term: Term; necessary?: Set<string> }) {
  if (term.characteristics.length === 0) return <span class="quiet">nothing: it is so whatever the values are</span>;
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
