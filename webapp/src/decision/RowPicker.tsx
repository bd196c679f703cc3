/** Rows of the user's data: step through them, type a row number, or choose from a table. */
import { useId, useRef, useState } from "preact/hooks";
import { get } from "../api/client.ts";
import type { Value } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { groupedNumber, valueText } from "../format.ts";
import { useQuery } from "../useQuery.ts";
import { rowError } from "../validation.ts";
import { RowTable } from "./RowTable.tsx";
import { ValidatedInput } from "./ValidatedInput.tsx";

export function RowPicker({ rows }: { rows: number }) {
  const { state, navigate } = useApp();
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const row = state.row;
  const goTo = (number: number) => navigate({ startInstance: null, changes: {}, row: number });
  const input = useId();
  return (
    <div class="rows">
      <button type="button" aria-label="Previous row" disabled={!row} onClick={() => goTo((row ?? 1) - 1)}>‹</button>
      <div class="at">
        <label for={input}>Row</label>
        <ValidatedInput
          id={input}
          text={row === null ? "" : String(row)}
          placeholder="none"
          inputMode="numeric"
          validate={(typed) => rowError(typed, rows)}
          onCommit={(typed) => goTo(Number(typed))}
        />
        <span class="of">of {groupedNumber(rows)}</span>
      </div>
      <button
        type="button"
        class="next"
        aria-label="Next row"
        disabled={row !== null && row >= rows - 1}
        onClick={() => goTo(row === null ? 0 : row + 1)}
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
      <OtherColumns />
      <dialog ref={dialog} aria-label="Choose a row" onClose={() => setOpen(false)}>
        {open && (
          <RowTable
            row={row ?? 0}
            onPick={(number, instance) => {
              dialog.current?.close();
              navigate({ startInstance: instance, changes: {}, row: number });
            }}
            onClose={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </div>
  );
}

/** Columns after these are collapsed. */
const SHOWN_COLUMNS = 4;

/** Columns of this row that are not features, such as an id: they tell the user whose row it is. */
function OtherColumns() {
  const { state } = useApp();
  const request = get("rows/{row}", { path: { row: state.row ?? 0 } });
  const { data, fresh } = useQuery(request, { enabled: state.row !== null });
  if (!data || !fresh) return null;
  // A link can be older than the data; its row number then belongs to another instance.
  const { startInstance } = state;
  const same = data.instance && Object.entries(data.instance).every(([name, value]) => startInstance?.[name] === value);
  if (startInstance && !same) return null;
  const columns = Object.entries(data.others ?? {});
  if (columns.length === 0) return null;
  return (
    <div class="others-of">
      <ColumnList columns={columns.slice(0, SHOWN_COLUMNS)} />
      {columns.length > SHOWN_COLUMNS && (
        <details>
          <summary>{`${columns.length - SHOWN_COLUMNS} more columns`}</summary>
          <ColumnList columns={columns.slice(SHOWN_COLUMNS)} />
        </details>
      )}
    </div>
  );
}

function ColumnList({ columns }: { columns: [string, Value][] }) {
  return (
    <dl class="others">
      {columns.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{valueText(undefined, value)}</dd>
        </div>
      ))}
    </dl>
  );
}
