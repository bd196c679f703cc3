/** What the verdicts say together: decisions, what they hang on, treatment (exact) and impact (counted). */
import { Bars } from "../Bars.tsx";
import { SideBySide } from "../decision/SideBySide.tsx";
import { usePage } from "../page.ts";
import { counted, labelText, percent } from "../values.ts";
import type { Impact, Summary as Found, Treated } from "./answers.ts";

const rowsText = (rows: number) => counted(rows, "row");

export function Summary({ of }: { of: Found }) {
  const { model } = usePage();
  const { treatment, impact, problems } = of;
  return (
    <div class="pair">
      <section class="card">
        <h2>Decisions</h2>
        <Bars
          caption={`${rowsText(of.decided)} decided`}
          bars={of.labels.map(({ label, share, rows }) => ({ name: labelText(model, label), share, detail: rowsText(rows) }))}
        />
        {problems.rows > 0 && (
          <>
            <h3>{`${rowsText(problems.rows)} could not be decided`}</h3>
            <ul>{problems.most_frequent.map(({ problem, rows }) => <li key={problem}>{`${problem} (${rowsText(rows)})`}</li>)}</ul>
          </>
        )}
      </section>
      <section class="card">
        <h2>What decisions hang on</h2>
        <Bars
          caption="Share of the rows where a feature is necessary"
          bars={of.features.map(({ feature, necessary_share }) => ({ name: feature, share: necessary_share }))}
        />
        {of.reasons.only_one !== null && (
          <p class="quiet">{`${rowsText(of.reasons.only_one)} of ${of.reasons.asked.toLocaleString("en")} have a single reason.`}</p>
        )}
      </section>
      {treatment.sets.map((set) => <Treatment key={set.name} of={set} />)}
      {treatment.why && <section class="card"><h2>Treatment</h2><p class="quiet">{treatment.why}</p></section>}
      {impact.columns.map((column) => <Rates key={column.column} of={column} interval={impact.interval} favourable={labelText(model, of.favourable)} />)}
      {impact.why && (
        <section class="card">
          <h2>Impact</h2>
          <p class="quiet">
            {of.favourable === null
              ? "Choose above which decision people want, and see how often each group gets it."
              : impact.why}
          </p>
        </section>
      )}
    </div>
  );
}

function Treatment({ of: { name, decisions, classifier, domain } }: { of: Treated }) {
  const { model } = usePage();
  const biased = decisions.biased > 0;
  return (
    <section class="card finding">
      <h2>{`Treatment by ${name}`}</h2>
      <h3 class={biased ? "biased" : "fair"}>
        {biased
          ? `▲ ${decisions.biased.toLocaleString("en")} of ${rowsText(decisions.known)} hang on it (${percent(decisions.share ?? 0)})`
          : `✓ None of ${rowsText(decisions.known)} hangs on it`}
      </h3>
      <p class="quiet">Proved of the model, row by row: another value of it alone gives another decision.</p>
      <Bars caption="By decision" bars={decisions.by_label.map(({ label, share, biased: rows }) => ({ name: labelText(model, label), share, detail: rowsText(rows) }))} />
      <Bars caption="By group" bars={decisions.by_group.map(({ says, share, biased: rows }) => ({ name: says, share, detail: rowsText(rows) }))} />
      {domain.share !== null && <p class="quiet">{`Of all cases that there can be, ${percent(domain.share)} hang on it.`}</p>}
      {!biased && classifier.biased && <p>Other cases would be: the classifier is biased, as these two show.</p>}
      {classifier.witness && (
        <SideBySide
          titles={["One case", "The other"]}
          instances={[classifier.witness.one, classifier.witness.other]}
          labels={classifier.witness.labels.map((label) => labelText(model, label))}
        />
      )}
    </section>
  );
}

function Rates({ of, interval, favourable }: { of: Impact; interval: string; favourable: string }) {
  const low = of.groups.filter((group) => group.below);
  return (
    <section class="card finding">
      <h2>{`Impact by ${of.column}`}</h2>
      {of.why ? (
        <p class="quiet">{of.why}</p>
      ) : (
        <h3 class={low.length ? "biased" : "fair"}>
          {low.length
            ? `▲ Below four fifths of the best-off: ${low.map((group) => group.says ?? group.group).join(", ")}`
            : "✓ No group that can be compared is below four fifths of the best-off"}
        </h3>
      )}
      <Bars
        caption={`Share of each group that is decided ${favourable}`}
        bars={of.groups.map((group) => ({
          name: group.says ?? group.group,
          share: group.rate,
          detail: rowsText(group.rows),
          interval: group.low === null || group.high === null ? null : [group.low, group.high],
        }))}
      />
      <p class="quiet">{`Counted in the data, whatever the cause. ${interval}.`}</p>
    </section>
  );
}
