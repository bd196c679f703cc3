/** The user's rows: step through them, name one by its number, or choose from a table. */
import { useId, useRef, useState } from "preact/hooks";
import type { Instance, Row, Rows } from "../api.ts";
import { useAsked } from "../asking.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { Scroll } from "../Scroll.tsx";
import { shown, wrongRow } from "../values.ts";
import { Field } from "./Field.tsx";

const PAGE = 25;

export function RowPicker({ rows }: { rows: number }) {
  const { state, go } = usePage();
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const row = state.row;
  const step = (to: number) => go({ start: null, change: {}, row: to });
  const field = useId();
  return (
    <div class="rows">
      <button type="button" aria-label="Previous row" disabled={!row} onClick={() => step((row ?? 1) - 1)}>‹</button>
      <div class="at">
        <label for={field}>Row</label>
        <Field
          id={field}
          text={row === null ? "" : String(row)}
          placeholder="none"
          inputMode="numeric"
          wrong={(typed) => wrongRow(typed, rows)}
          onTyped={(typed) => step(Number(typed))}
        />
        <span class="of">of {rows.toLocaleString("en")}</span>
      </div>
      <button
        type="button"
        class="next"
        aria-label="Next row"
        disabled={row !== null && row >= rows - 1}
        onClick={() => step(row === null ? 0 : row + 1)}
      >
        ›
      </button>
      <button
        type="button"
        class="choose"
        onClick={() => {
          setOpen(true);
          dialog.current?.showModal();
        }}
      >
        All rows
      </button>
      <Others />
      <dialog ref={dialog} aria-label="Choose a row" onClose={() => setOpen(false)}>
        {open && (
          <Table
            first={Math.floor((row ?? 0) / PAGE) * PAGE}
            onPick={(picked) => {
              dialog.current?.close();
              go({ start: picked.instance, change: {}, row: picked.row });
            }}
            onClose={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </div>
  );
}

const FIRST_OTHERS = 4;

/** What else the data says of this row, so that a person knows whose it is. */
function Others() {
  const { state } = usePage();
  const { answer, fresh } = useAsked<Row>(`rows/${state.row}`, undefined, state.row !== null);
  const own = fresh ? answer : null;
  // A link can be older than the data: then the row's number names another one.
  const same = own?.instance && state.start && Object.entries(own.instance).every(([name, value]) => state.start?.[name] === value);
  if (!own || (state.start && !same)) return null;
  const told = Object.entries(own.others);
  if (told.length === 0) return null;
  const list = (some: typeof told) => (
    <dl class="others">
      {some.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(undefined, value)}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <div class="others-of">
      {list(told.slice(0, FIRST_OTHERS))}
      {told.length > FIRST_OTHERS && (
        <details>
          <summary>{`${told.length - FIRST_OTHERS} more that are no features`}</summary>
          {list(told.slice(FIRST_OTHERS))}
        </details>
      )}
    </div>
  );
}

type Usable = Row & { instance: Instance };

function Table(props: { first: number; onPick: (row: Usable) => void; onClose: () => void }) {
  const { model } = usePage();
  const [start, setStart] = useState(props.first);
  const { answer, problem, again, fresh } = useAsked<Rows>(`rows?start=${start}&count=${PAGE}`, undefined);
  const last = answer ? Math.min(answer.total, start + PAGE) : 0;
  const others = (row: Row) =>
    answer?.others.map((name) => <td class="other" key={`other ${name}`}>{shown(undefined, row.others[name] ?? null)}</td>);
  return (
    <>
      <header>
        <h2>Your rows</h2>
        <button type="button" onClick={() => setStart(Math.max(0, start - PAGE))} disabled={start === 0}>Previous</button>
        <button type="button" onClick={() => setStart(start + PAGE)} disabled={!answer || last >= answer.total}>Next</button>
        <button type="button" onClick={props.onClose} aria-label="Close">✕</button>
      </header>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {answer && (
        <Scroll label="Rows" busy={!fresh}>
          <table>
            <caption>{`Rows ${start} to ${last - 1} of ${answer.total.toLocaleString("en")}`}</caption>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Decision</th>
                {answer.others.map((name) => <th scope="col" class="other" key={`other ${name}`}>{name}</th>)}
                {model.features.map(({ name }) => <th scope="col" key={name}>{name}</th>)}
              </tr>
            </thead>
            <tbody>
              {answer.rows.map((row) =>
                row.instance ? (
                  <tr key={row.row}>
                    <th scope="row">
                      <button type="button" class="link" onClick={() => props.onPick(row as Usable)}>{`Row ${row.row}`}</button>
                    </th>
                    <td>{row.label_text}</td>
                    {others(row)}
                    {model.features.map((feature) => (
                      <td key={feature.name}>{shown(feature, row.instance?.[feature.name] ?? null)}</td>
                    ))}
                  </tr>
                ) : (
                  <tr key={row.row} class="problem">
                    <th scope="row">{`Row ${row.row}`}</th>
                    <td>–</td>
                    {others(row)}
                    <td colSpan={model.features.length}>{row.problem}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
