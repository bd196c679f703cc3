/** The rows of an audit, filtered, each with a link to its decision. */
import { get } from "../api/client.ts";
import type { AuditRows } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { HorizontalScroll } from "../components/HorizontalScroll.tsx";
import { ErrorNotice } from "../components/Notice.tsx";
import { groupedNumber } from "../format.ts";
import { type State, toHash } from "../urlState.ts";
import { useQuery } from "../useQuery.ts";

const PAGE_SIZE = 25;

export function VerdictTable({ id, ready }: { id: string; ready: boolean }) {
  const { model, state, navigate } = useApp();
  const { audit } = state;
  const query = {
    start: audit.start,
    count: PAGE_SIZE,
    label: audit.label || null,
    biased: audit.biased ? audit.biased === "true" : null,
    feature: audit.feature || null,
  };
  const { data, fresh, error, retry } = useQuery(get("audit/{key}/rows", { path: { key: id }, query }), { enabled: ready });
  const filter = (change: Partial<typeof audit>) => navigate({ audit: { ...audit, start: 0, ...change } }, true);
  const end = data ? Math.min(data.total, audit.start + PAGE_SIZE) : 0;
  return (
    <section class="card" id="verdicts">
      <h2>Rows</h2>
      <div class="filters">
        <Filter name="Decision" value={audit.label} options={model.label_texts} onChoose={(label) => filter({ label })} />
        <Filter name="Biased" value={audit.biased} options={["true", "false"]} texts={["yes", "no"]} onChoose={(biased) => filter({ biased })} />
        <Filter name="Mentions" value={audit.feature} options={model.features.map(({ name }) => name)} onChoose={(feature) => filter({ feature })} />
        <span class="grow" />
        <button type="button" disabled={audit.start === 0} onClick={() => filter({ start: Math.max(0, audit.start - PAGE_SIZE) })}>Previous</button>
        <button type="button" disabled={!data || end >= data.total} onClick={() => filter({ start: audit.start + PAGE_SIZE })}>Next</button>
      </div>
      {error && <ErrorNotice error={error} retry={retry} />}
      {data && (
        <HorizontalScroll label="Verdicts" busy={!fresh}>
          <Table of={data} start={audit.start} end={end} />
        </HorizontalScroll>
      )}
    </section>
  );
}

function Table({ of, start, end }: { of: AuditRows; start: number; end: number }) {
  const { model, state } = useApp();
  const columns = of.columns.filter(({ name }) => name !== "row");
  const decisionState: State = { ...state, view: "decision", startInstance: null, changes: {}, expandedNodes: [], expandedReasonNodes: [] };
  const link = (row: number) => toHash({ ...decisionState, row }, model.features);
  return (
    <table>
      <caption>{of.total === 0 ? "No rows match." : `${start + 1} to ${end} of ${groupedNumber(of.total)}`}</caption>
      <thead>
        <tr>
          <th scope="col">Row</th>
          {columns.map(({ name }) => <th scope="col" key={name}>{name.replaceAll("_", " ")}</th>)}
        </tr>
      </thead>
      <tbody>
        {of.rows.map((row) => (
          <tr key={String(row["row"])}>
            <th scope="row"><a href={link(Number(row["row"]))}>{`Row ${row["row"]}`}</a></th>
            {columns.map(({ name }) => (
              <td key={name} class={name.startsWith("biased") && row[name] === true ? "biased" : ""}>{cellText(row[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellText(value: AuditRows["rows"][number][string] | undefined): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") || "none" : String(value);
}

interface FilterProps {
  name: string;
  value: string;
  options: string[];
  texts?: string[];
  onChoose: (value: string) => void;
}

function Filter({ name, value, options, texts, onChoose }: FilterProps) {
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">any</option>
        {options.map((option, i) => <option key={option} value={option}>{texts?.[i] ?? option}</option>)}
      </select>
    </label>
  );
}
