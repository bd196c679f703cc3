/** A small table of shares with a bar for each; a confidence interval is a line on the bar. */
import { percent } from "../format.ts";

export interface ShareRow {
  name: string;
  /** null where it is not known. */
  share: number | null;
  /** Beside the share, such as the number of rows. */
  detail?: string;
  interval?: [number, number] | null;
}

export function ShareTable({ caption, rows }: { caption: string; rows: ShareRow[] }) {
  if (rows.length === 0) return null;
  return (
    <div class="sized">
      <table class="shares" role="table">
        <caption>{caption}</caption>
        <tbody role="rowgroup">
          {rows.map(({ name, share, detail, interval }) => (
            <tr role="row" key={name}>
              <th scope="row" role="rowheader">{name}</th>
              <td class="drawn" role="cell">
                <svg class="bar" width="100%" height="10" aria-hidden="true">
                  <rect y="1" width="100%" height="8" rx="4" class="track" />
                  {share !== null && <rect y="1" width={length(share)} height="8" rx="4" />}
                  {interval && <line x1={length(interval[0])} x2={length(interval[1])} y1="5" y2="5" />}
                </svg>
              </td>
              <td class="amount" role="cell">{share === null ? "unknown" : percent(share)}</td>
              {detail !== undefined && <td class="detail" role="cell">{detail}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const length = (share: number) => `${(share * 100).toFixed(2)}%`;
