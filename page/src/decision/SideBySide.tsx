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
    <table class="beside">
      <thead>
        <tr>
          <th scope="col"><span class="sr">Feature</span></th>
          {titles.map((title) => <th scope="col" key={title}>{title}</th>)}
        </tr>
      </thead>
      <tbody>
        {listed.map((feature) => (
          <tr key={feature.name} class={differs(feature.name) ? "differs" : ""}>
            <th scope="row">
              {differs(feature.name) && <span aria-label="differs">≠ </span>}
              {feature.name}
            </th>
            <td>{shown(feature, a[feature.name] ?? null)}</td>
            <td>{shown(feature, b[feature.name] ?? null)}</td>
          </tr>
        ))}
        {many && (
          <tr>
            <td colSpan={3} class="quiet">{`The other ${model.features.length - listed.length} features agree.`}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Decision</th>
          {labels.map((label, i) => <td key={titles[i]}>{label}</td>)}
        </tr>
      </tfoot>
    </table>
  );
}
