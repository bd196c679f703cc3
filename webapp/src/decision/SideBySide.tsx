/** Two instances beside each other, their differences marked. */
import type { Instance } from "../api.ts";
import { usePage } from "../page.ts";
import { shown } from "../values.ts";

interface Props {
  titles: [string, string];
  instances: [Instance, Instance];
  labels: string[];
}

/** Where there are many features, those that agree are left to a line below. */
const MANY = 12;

export function SideBySide({ titles, instances: [a, b], labels }: Props) {
  const { model } = usePage();
  const differs = (name: string) => a[name] !== b[name];
  const many = model.features.length > MANY;
  const listed = model.features.filter(({ name }) => !many || differs(name));
  return (
    // The roles are said since a narrow screen shows the rows as blocks, and browsers then forget them.
    <div class="sized">
      <table class="beside" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader"><span class="sr">Feature</span></th>
            {titles.map((title) => <th scope="col" role="columnheader" key={title}>{title}</th>)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {listed.map((feature) => (
            <tr role="row" key={feature.name} class={differs(feature.name) ? "differs" : ""}>
              <th scope="row" role="rowheader">
                {differs(feature.name) && <span role="img" aria-label="differs">≠ </span>}
                {feature.name}
              </th>
              <td role="cell">{shown(feature, a[feature.name] ?? null)}</td>
              <td role="cell">{shown(feature, b[feature.name] ?? null)}</td>
            </tr>
          ))}
          {many && (
            <tr role="row">
              <td role="cell" colSpan={3} class="quiet">{`The other ${model.features.length - listed.length} features agree.`}</td>
            </tr>
          )}
        </tbody>
        <tfoot role="rowgroup">
          <tr role="row">
            <th scope="row" role="rowheader">Decision</th>
            {labels.map((label, i) => <td role="cell" key={titles[i]}>{label}</td>)}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
