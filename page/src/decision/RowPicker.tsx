/** The user's rows: step through them, or choose one from a table. */
import { useRef, useState } from "preact/hooks";
import type { Instance, Row, Rows } from "../api.ts";
import { useAsked } from "../asking.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { shown } from "../values.ts";

const PAGE = 25;

export function RowPicker({ rows }: { rows: number }) {
  const { state, go } = usePage();
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const row = state.row;
  const step = (to: number) => go({ start: null, change: {}, row: to });
  return (
    <div class="rows">
      <button type="button" aria-label="Previous row" disabled={!row} onClick={() => step((row ?? 1) - 1)}>‹</button>
      <button
        type="button"
        class="choose"
        onClick={() => {
          setOpen(true);
          dialog.current?.showModal();
        }}
      >
        {row === null ? "Choose a row" : `Row ${row.toLocaleString("en")}`}
        <small> of {rows.toLocaleString("en")}</small>
      </button>
      <button
        type="button"
        aria-label="Next row"
        disabled={row !== null && row >= rows - 1}
        onClick={() => step(row === null ? 0 : row + 1)}
      >
        ›
      </button>
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

type Usable = Row & { instance: Instance };

function Table(props: { first: number; onPick: (row: Usable) => void; onClose: () => void }) {
  const { model } = usePage();
  const [start, setStart] = useState(props.first);
  const { answer, problem, again, fresh } = useAsked<Rows>(`rows?start=${start}&count=${PAGE}`, undefined);
  const last = answer ? Math.min(answer.total, start + PAGE) : 0;
  return (
    <>
      <header>
        <h2>Your rows</h2>
        <button type="button" onClick={() => setStart(Math.max(0, start - PAGE))} disabled={start === 0}>Earlier</button>
        <button type="button" onClick={() => setStart(start + PAGE)} disabled={!answer || last >= answer.total}>Later</button>
        <button type="button" onClick={props.onClose} aria-label="Close">✕</button>
      </header>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {answer && (
        <div class="scroll" aria-busy={!fresh} tabindex={0} role="region" aria-label="Rows, scrollable">
          <table>
            <caption>{`Rows ${start} to ${last - 1} of ${answer.total.toLocaleString("en")}`}</caption>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Decision</th>
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
                    {model.features.map((feature) => (
                      <td key={feature.name}>{shown(feature, row.instance?.[feature.name] ?? null)}</td>
                    ))}
                  </tr>
                ) : (
                  <tr key={row.row} class="problem">
                    <th scope="row">{`Row ${row.row}`}</th>
                    <td colSpan={model.features.length + 1}>{row.problem}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
