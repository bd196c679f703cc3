/** All rows at once: what they hang on, whom it concerns, and each of them to look at. */
import { useAsked } from "../asking.ts";
import { Protected } from "../decision/Protected.tsx";
import { saveJson } from "../download.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import type { Audited } from "./answers.ts";
import { Summary } from "./Summary.tsx";
import { VerdictTable } from "./VerdictTable.tsx";

export function AuditView() {
  const { model, state, go } = usePage();
  const named = state.protected ?? model.protected;
  const { run } = state.audit;
  const wanted = model.labels[model.label_texts.indexOf(state.audit.wanted)] ?? null;
  const asks = { data: "rows", protected: named, favourable: wanted };
  const audit = useAsked<Audited>("audit", asks, run && model.rows !== null);
  if (model.rows === null) return <NoRows />;
  const start = () => go({ audit: { ...state.audit, run: true, start: 0 } });
  return (
    <main id="main" tabindex={-1} class="audit" aria-busy={run && !audit.fresh && !audit.problem}>
      <section class="card">
        <div class="head">
          <h1>Audit</h1>
          <div class="actions">
            <button type="button" disabled={!audit.fresh} onClick={() => saveJson("audit", audit.answer)}>JSON</button>
            <button type="button" onClick={() => print()}>Print or PDF</button>
          </div>
        </div>
        <p class="quiet">
          {`Asks of each of your ${model.rows.toLocaleString("en")} rows what its decision hangs on, and whether it hangs on a protected feature.`}
        </p>
        <h2 class="minor">Protected features</h2>
        <Protected chosen={named} />
        <div class="filters">
          <label>
            The decision that people want
            <select
              value={state.audit.wanted}
              onChange={(event) => go({ audit: { ...state.audit, wanted: event.currentTarget.value } }, true)}
            >
              <option value="">not said</option>
              {model.label_texts.map((text) => <option key={text} value={text}>{text}</option>)}
            </select>
          </label>
        </div>
        {!run && <button type="button" class="main" onClick={start}>{`Audit ${model.rows.toLocaleString("en")} rows`}</button>}
        {run && !audit.fresh && !audit.problem && <p role="status">Auditing…</p>}
        {run && audit.problem && <ProblemNotice problem={audit.problem} again={audit.again} />}
      </section>
      {run && audit.answer && (
        <div class={audit.fresh ? "" : "stale"}>
          <Summary of={audit.answer.summary} />
          <VerdictTable id={audit.answer.id} ready={audit.fresh} />
        </div>
      )}
    </main>
  );
}

function NoRows() {
  return (
    <main id="main" tabindex={-1} class="alone">
      <h1>Audit</h1>
      <p>An audit asks about all rows of your data, and this server was started without any. Start it so:</p>
      <p class="formula">reasons serve SOURCE --data rows.csv --protected sex,age</p>
    </main>
  );
}
