/** The values of the instance: a control for each feature, the row picker, and the changes made. */
import { useRef, useState } from "preact/hooks";
import type { Value } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { plural, valueText } from "../format.ts";
import { changedValues, type State } from "../urlState.ts";
import { FeatureControl } from "./FeatureControl.tsx";
import { RowPicker } from "./RowPicker.tsx";
import type { CurrentDecision } from "./useDecision.ts";

/** With more features there is a search field. */
const MANY_FEATURES = 12;

export function InstancePanel({ current }: { current: CurrentDecision }) {
  const { model, state, navigate } = useApp();
  const [search, setSearch] = useState("");
  const { startInstance, instance, cells, startCells, changed, decision, explanation } = current;
  const necessary = new Set(decision.error ? [] : explanation.data?.necessary?.characteristics.map((each) => each.feature));
  const setValue = (name: string, value: Value, cell: number | null) => {
    const index = model.features.findIndex((feature) => feature.name === name);
    const backToStart = cell !== null && startCells[index] === cell;
    const next = { ...instance, [name]: backToStart ? (startInstance[name] ?? null) : value };
    navigate({ changes: changedValues(startInstance, next) }, true);
  };
  // The buttons disappear with the changes; the focus moves to the title instead of getting lost.
  const title = useRef<HTMLHeadingElement>(null);
  const restart = (change: Partial<State>) => {
    navigate(change);
    title.current?.focus({ preventScroll: true });
  };
  const listed = model.features
    .map((feature, index) => ({ feature, index }))
    .filter(({ feature }) => feature.name.toLowerCase().includes(search.toLowerCase()));
  return (
    <aside class="panel" aria-label="The case">
      <h2 ref={title} tabindex={-1}>The case</h2>
      {model.rows !== null && <RowPicker rows={model.rows} />}
      {Object.keys(state.changes).length > 0 && (
        <div class="changes">
          <span>{changed.size === 0 ? "Changed within the same intervals" : `${plural(changed.size, "value")} changed`}</span>
          <button type="button" onClick={() => restart({ changes: {} })}>Undo</button>
          <button type="button" onClick={() => restart({ startInstance: instance, changes: {}, row: null })}>Start from here</button>
        </div>
      )}
      {model.features.length > MANY_FEATURES && (
        <input
          type="search"
          placeholder={`Search ${model.features.length} features`}
          aria-label="Search features"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul class="controls">
        {listed.map(({ feature, index }) => {
          const differs = changed.has(feature.name);
          return (
            <li key={feature.name} class={`${feature.kind} ${differs ? "changed" : ""}`}>
              <FeatureControl
                feature={feature}
                value={instance[feature.name] ?? null}
                cell={cells[index] ?? null}
                characteristic={decision.fresh ? decision.data?.characteristics[index]?.text : undefined}
                error={current.valueErrors[feature.name]}
                necessary={necessary.has(feature.name)}
                isProtected={current.protected.includes(feature.name)}
                startValue={differs ? valueText(feature, startInstance[feature.name] ?? null) : null}
                onValue={(value, cell) => setValue(feature.name, value, cell)}
              />
            </li>
          );
        })}
      </ul>
      {listed.length === 0 && <p class="quiet">No feature name contains this text.</p>}
    </aside>
  );
}
