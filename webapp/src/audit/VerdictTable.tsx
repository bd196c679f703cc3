/** The rows of an audit, filtered, each with a link to its decision. */
import { useAsked } from "../asking.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { Scroll } from "../Scroll.tsx";
import { hashOf } from "../state.ts";
import type { Verdicts } from "./answers.ts";

const PAGE = 25;

export function VerdictTable({ id, ready }: { id: string; ready: boolean }) {
  const { model, state, go } = usePage();
  const { audit } = state;
  const query = new URLSearchParams({ start: String(audit.start), count: String(PAGE) });
  for (const key of ["label", "biased", "feature"] as const) if (audit[key]) query.set(key, audit[key]);
  const { answer, fresh, problem, again } = useAsked<Verdicts>(`audit/${id}/rows?${query}`, undefined, ready);
  const filter = (change: Partial<typeof audit>) => go({ audit: { ...audit, start: 0, ...change } }, true);
  const last = answer ? Math.min(answer.total, audit.start + PAGE) : 0;
  return (
    <section class="card" id="verdicts">
      <h2>Rows</h2>
      <div class="filters">
        <Filter name="Decision" value={audit.label} options={model.label_texts} onChoose={(label) => filter({ label })} />
        <Filter name="Biased" value={audit.biased} options={["true", "false"]} texts={["yes", "no"]} onChoose={(biased) => filter({ biased })} />
        <Filter name="Hangs on" value={audit.feature} options={model.features.map(({ name }) => name)} onChoose={(feature) => filter({ feature })} />
        <span class="grow" />
        <button type="button" disabled={audit.start === 0} onClick={() => filter({ start: Math.max(0, audit.start - PAGE) })}>Previous</button>
        <button type="button" disabled={!answer || last >= answer.total} onClick={() => filter({ start: audit.start + PAGE })}>Next</button>
      </div>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {answer && (
        <Scroll label="Verdicts" busy={!fresh}>
          <Table of={answer} from={audit.start} to={last} />
        </Scroll>
      )}
    </section>
  );
}

function Table({ of, from, to }: { of: Verdicts; from: number; to: number }) {
  const { model, state } = usePage();
  const columns = of.columns.filter(({ name }) => name !== "row");
  const link = (row: number) =>
    hashOf({ ...state, view: "decision", start: null, change: {}, row, opened: [], parts: [] }, model.features);
  return (
    <table>
      <caption>{of.total === 0 ? "No row is so." : `${from + 1} to ${to} of ${of.total.toLocaleString("en")}`}</caption>
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

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
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
