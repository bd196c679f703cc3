/** Two instances side by side, with their differences marked. */
import type { Instance } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { valueText } from "../format.ts";

interface Props {
  titles: [string, string];
  instances: [Instance, Instance];
  labels: string[];
}

/** With more features, only those that differ are listed. */
const MANY_FEATURES = 12;

export function InstanceDiff({ titles, instances: [a, b], labels }: Props) {
  const { model } = useApp();
  const differs = (name: string) => a[name] !== b[name];
  const many = model.features.length > MANY_FEATURES;
  const listed = model.features.filter(({ name }) => !many || differs(name));
  return (
    // The roles are explicit because narrow screens show rows as blocks, which drops the implicit ones.
    <div class="sized">
      <table class="diff" role="table">
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
              <td role="cell">{valueText(feature, a[feature.name] ?? null)}</td>
              <td role="cell">{valueText(feature, b[feature.name] ?? null)}</td>
            </tr>
          ))}
          {many && (
            <tr role="row">
              <td role="cell" colSpan={3} class="quiet">{`The other ${model.features.length - listed.length} features are the same.`}</td>
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
