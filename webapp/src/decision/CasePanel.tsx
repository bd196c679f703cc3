/** The values of the case: a control for each feature, rows to pick from, what was changed. */
import { useRef, useState } from "preact/hooks";
import type { Value } from "../api.ts";
import { usePage } from "../page.ts";
import { changeTo, type State } from "../state.ts";
import { shown } from "../values.ts";
import { Control } from "./Control.tsx";
import { RowPicker } from "./RowPicker.tsx";
import type { Case } from "./useCase.ts";

const MANY = 12;

export function CasePanel({ about }: { about: Case }) {
  const { model, state, go } = usePage();
  const [sought, seek] = useState("");
  const { start, now, cells, startCells, changed, explained } = about;
  const necessary = new Set(about.decided.problem ? [] : explained.answer?.necessary?.characteristics.map((each) => each.feature));
  const set = (name: string, value: Value, cell: number | null) => {
    const index = model.features.findIndex((feature) => feature.name === name);
    const back = cell !== null && startCells[index] === cell;
    go({ change: changeTo(start, { ...now, [name]: back ? (start[name] ?? null) : value }) }, true);
  };
  // The buttons go away with the changes; the focus must not go with them.
  const title = useRef<HTMLHeadingElement>(null);
  const restart = (to: Partial<State>) => {
    go(to);
    title.current?.focus({ preventScroll: true });
  };
  const listed = model.features
    .map((feature, index) => ({ feature, index }))
    .filter(({ feature }) => feature.name.toLowerCase().includes(sought.toLowerCase()));
  return (
    <aside class="panel" aria-label="The case">
      <h2 ref={title} tabindex={-1}>The case</h2>
      {model.rows !== null && <RowPicker rows={model.rows} />}
      {Object.keys(state.change).length > 0 && (
        <div class="changes">
          <span>{counted(changed.size)}</span>
          <button type="button" onClick={() => restart({ change: {} })}>Undo</button>
          <button type="button" onClick={() => restart({ start: now, change: {}, row: null })}>Start from here</button>
        </div>
      )}
      {model.features.length > MANY && (
        <input
          type="search"
          placeholder={`Find among ${model.features.length} features`}
          aria-label="Find a feature"
          value={sought}
          onInput={(event) => seek(event.currentTarget.value)}
        />
      )}
      <ul class="controls">
        {listed.map(({ feature, index }) => {
          const value = now[feature.name] ?? null;
          const differs = changed.has(feature.name);
          return (
            <li key={feature.name} class={`${feature.kind} ${differs ? "changed" : ""}`}>
              <Control
                feature={feature}
                value={value}
                cell={cells[index] ?? null}
                says={about.decided.fresh ? about.decided.answer?.characteristics[index]?.text : undefined}
                refused={about.refused[feature.name]}
                necessary={necessary.has(feature.name)}
                guarded={about.protected.includes(feature.name)}
                was={differs ? shown(feature, start[feature.name] ?? null) : null}
                onValue={(to, cell) => set(feature.name, to, cell)}
              />
            </li>
          );
        })}
      </ul>
      {listed.length === 0 && <p class="quiet">No feature has this in its name.</p>}
    </aside>
  );
}

function counted(changes: number): string {
  if (changes === 0) return "Numbers changed";
  return changes === 1 ? "1 value changed" : `${changes} values changed`;
}
