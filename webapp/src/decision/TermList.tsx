/** A set of terms: the list, its exact count, and how often each feature occurs. */
import type { Term, TermSet } from "../api/schemas.ts";
import { ShareTable } from "../components/ShareTable.tsx";
import { countText } from "../format.ts";
import { TermChips } from "./TermChips.tsx";

export function TermCount({ of: { count } }: { of: TermSet }) {
  return count === null ? null : <span class="count">{countText(count)}</span>;
}

/** Terms after these are collapsed. */
const SHOWN_TERMS = 6;

export function TermList({ of: { shown, count, note }, necessary }: { of: TermSet; necessary?: Set<string> }) {
  const list = (terms: Term[], first: number) => (
    <ol class="terms">
      {terms.map((term, i) => (
        <li key={term.text} data-number={first + i}>
          <TermChips term={term} {...(necessary && { necessary })} />
        </li>
      ))}
    </ol>
  );
  const collapsed = shown.slice(SHOWN_TERMS);
  return (
    <>
      {list(shown.slice(0, SHOWN_TERMS), 1)}
      {collapsed.length > 0 && (
        <details>
          <summary>{`${collapsed.length} more`}</summary>
          {list(collapsed, SHOWN_TERMS + 1)}
        </details>
      )}
      {count !== null && count !== String(shown.length) && (
        <p class="quiet">{`The first ${shown.length} of ${countText(count)}.`}</p>
      )}
      {note && <p class="quiet">{note}</p>}
    </>
  );
}

const SHOWN_FEATURES = 12;

export function FeatureShares({ of: { shares }, title }: { of: TermSet; title: string }) {
  const ranked = shares.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  return <ShareTable caption={title} rows={ranked.slice(0, SHOWN_FEATURES).map(({ feature, share }) => ({ name: feature, share }))} />;
}
