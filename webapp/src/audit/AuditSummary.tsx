/** The summary of an audit: decisions, features, disparate treatment (exact) and disparate impact (counted). */
import type { AuditSummary as Summary, ColumnImpact, ProtectedSet } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { InstanceDiff } from "../components/InstanceDiff.tsx";
import { ShareTable } from "../components/ShareTable.tsx";
import { groupedNumber, labelText, percent, plural } from "../format.ts";

const rowsText = (rows: number) => plural(rows, "row");

export function AuditSummary({ of }: { of: Summary }) {
  const { model } = useApp();
  const { treatment, impact, problems } = of;
  return (
    <div class="pair">
      <section class="card">
        <h2>Decisions</h2>
        <ShareTable
          caption={`${rowsText(of.decided)} decided`}
          rows={of.labels.map(({ label, share, rows }) => ({ name: labelText(model, label), share, detail: rowsText(rows) }))}
        />
        {problems.rows > 0 && (
          <>
            <h3>{`${rowsText(problems.rows)} could not be decided`}</h3>
            <ul>{problems.most_frequent.map(({ problem, rows }) => <li key={problem}>{`${problem} (${rowsText(rows)})`}</li>)}</ul>
          </>
        )}
      </section>
      <section class="card">
        <h2>Necessary features</h2>
        <ShareTable
          caption="Share of the rows where a feature is necessary"
          rows={of.features.map(({ feature, necessary_share }) => ({ name: feature, share: necessary_share }))}
        />
        {of.reasons.only_one !== null && (
          <p class="quiet">{`${groupedNumber(of.reasons.only_one)} of ${rowsText(of.reasons.asked)} have exactly one sufficient reason.`}</p>
        )}
      </section>
      {treatment.sets.map((set) => <TreatmentCard key={set.name} of={set} />)}
      {treatment.why && <section class="card"><h2>Disparate treatment</h2><p class="quiet">{treatment.why}</p></section>}
      {impact.columns.map((column) => (
        <ImpactCard key={column.column} of={column} interval={impact.interval} favourable={labelText(model, of.favourable)} />
      ))}
      {impact.why && (
        <section class="card">
          <h2>Disparate impact</h2>
          <p class="quiet">
            {of.favourable === null ? "Choose the favourable decision above to compare how often each group gets it." : impact.why}
          </p>
        </section>
      )}
    </div>
  );
}

function TreatmentCard({ of: { name, decisions, classifier, domain } }: { of: ProtectedSet }) {
  const { model } = useApp();
  const biased = decisions.biased > 0;
  return (
    <section class="card finding">
      <h2>{`Disparate treatment: ${name}`}</h2>
      <h3 class={biased ? "biased" : "fair"}>
        {biased
          ? `▲ ${groupedNumber(decisions.biased)} of ${plural(decisions.known, "decision")} (${percent(decisions.share ?? 0)}) would change if only ${name} changed`
          : `✓ None of ${plural(decisions.known, "decision")} would change if only ${name} changed`}
      </h3>
      <p class="quiet">Proved from the model for every row.</p>
      <ShareTable
        caption="By decision"
        rows={decisions.by_label.map(({ label, share, biased: rows }) => ({ name: labelText(model, label), share, detail: rowsText(rows) }))}
      />
      <ShareTable
        caption="By group"
        rows={decisions.by_group.map(({ says, share, biased: rows }) => ({ name: says, share, detail: rowsText(rows) }))}
      />
      {domain.share !== null && <p class="quiet">{`${name} alone can change the decision in ${percent(domain.share)} of all possible cases.`}</p>}
      {classifier.witness && (
        <p>{biased ? `Two possible cases that differ only in ${name}:` : "The classifier is still biased, as these two possible cases show:"}</p>
      )}
      {classifier.witness && (
        <InstanceDiff
          titles={["Case A", "Case B"]}
          instances={[classifier.witness.one, classifier.witness.other]}
          labels={classifier.witness.labels.map((label) => labelText(model, label))}
        />
      )}
    </section>
  );
}

function ImpactCard({ of, interval, favourable }: { of: ColumnImpact; interval: string; favourable: string }) {
  const low = of.groups.filter((group) => group.below);
  return (
    <section class="card finding">
      <h2>{`Disparate impact: ${of.column}`}</h2>
      {of.why ? (
        <p class="quiet">{of.why}</p>
      ) : (
        <h3 class={low.length ? "biased" : "fair"}>
          {low.length
            ? `▲ Below four fifths of the best rate: ${low.map((group) => group.says).join(", ")}`
            : "✓ No comparable group is below four fifths of the best rate"}
        </h3>
      )}
      <ShareTable
        caption={`Share of each group with the decision ${favourable}`}
        rows={of.groups.map((group) => ({
          name: group.says,
          share: group.rate,
          detail: rowsText(group.rows),
          interval: group.low === null || group.high === null ? null : [group.low, group.high],
        }))}
      />
      <p class="quiet">{`Counted in the data, whatever the cause. ${interval}.`}</p>
    </section>
  );
}
