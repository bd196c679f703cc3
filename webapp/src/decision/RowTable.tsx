/** A table of the user's rows, one page at a time, to pick one from. */
import { useState } from "preact/hooks";
import { get } from "../api/client.ts";
import type { Instance, Row } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { HorizontalScroll } from "../components/HorizontalScroll.tsx";
import { ErrorNotice } from "../components/Notice.tsx";
import { groupedNumber, valueText } from "../format.ts";
import { useQuery } from "../useQuery.ts";

const PAGE_SIZE = 25;

interface Props {
  /** The table opens at the page of this row. */
  row: number;
  onPick: (row: number, instance: Instance) => void;
  onClose: () => void;
}

export function RowTable({ row, onPick, onClose }: Props) {
  const { model } = useApp();
  const [start, setStart] = useState(Math.floor(row / PAGE_SIZE) * PAGE_SIZE);
  const { data, error, retry, fresh } = useQuery(get("rows", { query: { start, count: PAGE_SIZE } }));
  const end = data ? Math.min(data.total, start + PAGE_SIZE) : 0;
  return (
    <>
      <header>
        <h2>Your rows</h2>
        <button type="button" onClick={() => setStart(Math.max(0, start - PAGE_SIZE))} disabled={start === 0}>Previous</button>
        <button type="button" onClick={() => setStart(start + PAGE_SIZE)} disabled={!data || end >= data.total}>Next</button>
        <button type="button" onClick={onClose} aria-label="Close">✕</button>
      </header>
      {error && <ErrorNotice error={error} retry={retry} />}
      {data && (
        <HorizontalScroll label="Rows" busy={!fresh}>
          <table>
            <caption>{`Rows ${start} to ${end - 1} of ${groupedNumber(data.total)}`}</caption>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Decision</th>
                {data.others.map((name) => <th scope="col" class="other" key={`other ${name}`}>{name}</th>)}
                {model.features.map(({ name }) => <th scope="col" key={name}>{name}</th>)}
              </tr>
            </thead>
            <tbody>{data.rows.map((each) => <TableRow key={each.row} row={each} others={data.others} onPick={onPick} />)}</tbody>
          </table>
        </HorizontalScroll>
      )}
    </>
  );
}

function TableRow({ row, others, onPick }: { row: Row; others: string[]; onPick: Props["onPick"] }) {
  const { model } = useApp();
  const { instance } = row;
  const otherCells = others.map((name) => <td class="other" key={`other ${name}`}>{valueText(undefined, row.others?.[name] ?? null)}</td>);
  if (!instance)
    return (
      <tr class="problem">
        <th scope="row">{`Row ${row.row}`}</th>
        <td>–</td>
        {otherCells}
        <td colSpan={model.features.length}>{row.problem}</td>
      </tr>
    );
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" onClick={() => onPick(row.row, instance)}>{`Row ${row.row}`}</button>
      </th>
      <td>{row.label_text}</td>
      {otherCells}
      {model.features.map((feature) => <td key={feature.name}>{valueText(feature, instance[feature.name] ?? null)}</td>)}
    </tr>
  );
}
