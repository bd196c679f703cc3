/** A small table of shares with a bar for each; an interval, where there is one, as a line on it. */
import { percent } from "./values.ts";

export interface Bar {
  name: string;
  share: number | null;
  /** Beside the share, such as the number of rows. */
  detail?: string;
  interval?: [number, number] | null;
}

export function Bars({ caption, bars }: { caption: string; bars: Bar[] }) {
  if (bars.length === 0) return null;
  return (
    <div class="sized">
      <table class="bars" role="table">
        <caption>{caption}</caption>
        <tbody role="rowgroup">
          {bars.map(({ name, share, detail, interval }) => (
            <tr role="row" key={name}>
              <th scope="row" role="rowheader">{name}</th>
              <td class="drawn" role="cell">
                <svg class="bar" width="100%" height="10" aria-hidden="true">
                  <rect y="1" width="100%" height="8" rx="4" class="track" />
                  {share !== null && <rect y="1" width={at(share)} height="8" rx="4" />}
                  {interval && <line x1={at(interval[0])} x2={at(interval[1])} y1="5" y2="5" />}
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

const at = (share: number) => `${(share * 100).toFixed(2)}%`;
