/** An audit of all rows: a summary, and a table of the rows. */
import { post } from "../api/client.ts";
import { useApp } from "../AppContext.ts";
import { ProtectedFeatures } from "../components/FeatureToggles.tsx";
import { ErrorNotice } from "../components/Notice.tsx";
import { saveJson } from "../download.ts";
import { groupedNumber } from "../format.ts";
import { useQuery } from "../useQuery.ts";
import { AuditSummary } from "./AuditSummary.tsx";
import { VerdictTable } from "./VerdictTable.tsx";

export function AuditView() {
  const { model, state, navigate } = useApp();
  const protectedNames = state.protected ?? model.protected;
  const { run } = state.audit;
  const favourable = model.labels[model.label_texts.indexOf(state.audit.favourable)] ?? null;
  const request = post("audit", { data: "rows", protected: protectedNames, favourable });
  const audit = useQuery(request, { enabled: run && model.rows !== null });
  if (model.rows === null) return <NoRows />;
  const rows = groupedNumber(model.rows);
  const busy = run && !audit.fresh && !audit.error;
  return (
    <main id="main" tabindex={-1} class="audit" aria-busy={busy}>
      <section class="card">
        <div class="head">
          <h1>Audit</h1>
          <div class="actions">
            <button type="button" disabled={!audit.fresh} onClick={() => saveJson("audit", audit.data)}>JSON</button>
            <button type="button" onClick={() => print()}>Print or PDF</button>
          </div>
        </div>
        <p class="quiet">{`Explains the decision on each of your ${rows} rows, and checks whether it depends on a protected feature.`}</p>
        <h2 class="minor">Protected features</h2>
        <ProtectedFeatures chosen={protectedNames} />
        <div class="filters">
          <label>
            Favourable decision
            <select
              value={state.audit.favourable}
              onChange={(event) => navigate({ audit: { ...state.audit, favourable: event.currentTarget.value } }, true)}
            >
              <option value="">not specified</option>
              {model.label_texts.map((text) => <option key={text} value={text}>{text}</option>)}
            </select>
          </label>
        </div>
        {!run && (
          <button type="button" class="main" onClick={() => navigate({ audit: { ...state.audit, run: true, start: 0 } })}>
            {`Audit ${rows} rows`}
          </button>
        )}
        {busy && <p role="status">Auditing…</p>}
        {run && audit.error && <ErrorNotice error={audit.error} retry={audit.retry} />}
      </section>
      {run && audit.data && (
        <div class={audit.fresh ? "" : "stale"}>
          <AuditSummary of={audit.data.summary} />
          <VerdictTable id={audit.data.id} ready={audit.fresh} />
        </div>
      )}
    </main>
  );
}

function NoRows() {
  return (
    <main id="main" tabindex={-1} class="centered">
      <h1>Audit</h1>
      <p>An audit needs rows, but this server was started without data. Start it with:</p>
      <p class="formula">reasons serve SOURCE --data rows.csv --protected sex,age</p>
    </main>
  );
}
