/** One feature's control: a switch, a menu, or a slider over its cells. */
import { useId, useRef } from "preact/hooks";
import type { Feature, Value } from "../api.ts";
import { cellText, numberIn, shown } from "../values.ts";
import { Field } from "./Field.tsx";

interface Props {
  feature: Feature;
  value: Value;
  /** Unknown while a typed number is on its way to the server. */
  cell: number | null;
  /** What the server says of the value, where it has said it. */
  says?: string | undefined;
  necessary: boolean;
  guarded: boolean;
  /** The value in the starting case, where it is another. */
  was: string | null;
  /** Why the server does not take the value. */
  refused?: string | undefined;
  onValue: (value: Value, cell: number | null) => void;
}

export function Control(props: Props) {
  const { feature, necessary, guarded, was } = props;
  const id = useId();
  return (
    <>
      <div class="name">
        <label for={id}>{feature.name}</label>
        {necessary && <span class="tag necessary" title="Part of every sufficient reason">◆ necessary</span>}
        {guarded && <span class="tag" title="Named as protected">protected</span>}
      </div>
      {feature.kind === "boolean" ? <Switch {...props} id={id} /> : null}
      {feature.kind === "categorical" ? <Menu {...props} id={id} /> : null}
      {feature.kind === "numeric" && !isCut(feature) ? <Slider {...props} id={id} /> : null}
      {feature.kind === "numeric" && isCut(feature) ? <Exact {...props} id={id} /> : null}
      {was !== null && <p class="was">was {was}</p>}
    </>
  );
}

/** Of very many values only some are listed: no slider stands for all of them. */
const isCut = ({ values, cells }: Feature) => values.length < cells;

function Switch({ feature, cell, onValue, id }: Props & { id: string }) {
  const on = cell === 1;
  const to = feature.values[on ? 0 : 1];
  return (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={on}
      onClick={() => to && onValue(to.raw, to.cell)}
    >
      <span class="thumb" />
      <span class="state">{feature.values[on ? 1 : 0]?.text}</span>
    </button>
  );
}

function Menu({ feature, value, cell, onValue, id }: Props & { id: string }) {
  const unlisted = cell === null;
  return (
    <select
      id={id}
      value={String(cell ?? "")}
      onChange={(event) => {
        const chosen = feature.values.find((each) => String(each.cell) === event.currentTarget.value);
        if (chosen) onValue(chosen.raw, chosen.cell);
      }}
    >
      {unlisted && <option value="">{shown(feature, value)}</option>}
      {feature.values.map((each) => (
        <option key={each.cell} value={String(each.cell)}>{cellText(feature, each)}</option>
      ))}
      {isCut(feature) && <option disabled>{`… ${(feature.cells - feature.values.length).toLocaleString("en")} more, in rows of your data`}</option>}
    </select>
  );
}

function Slider({ feature, value, cell, refused, onValue, id }: Props & { id: string }) {
  const numbers = feature.values.filter((each) => each.raw !== null);
  const at = feature.values.find((each) => each.cell === cell);
  const isMissing = value === null;
  // While the cell of a number is not known yet, the slider stays where it is.
  const place = useRef(0);
  const found = numbers.findIndex((each) => each.cell === cell);
  if (found >= 0) place.current = found;
  return (
    <>
      <input
        id={id}
        type="range"
        min={0}
        max={numbers.length - 1}
        step={1}
        disabled={isMissing}
        value={place.current}
        aria-valuetext={at ? cellText(feature, at) : shown(feature, value)}
        onInput={(event) => {
          const chosen = numbers[Number(event.currentTarget.value)];
          if (chosen) onValue(chosen.raw, chosen.cell);
        }}
      />
      <div class="under">
        <output for={id}>{at ? cellText(feature, at) : refused ? "not possible" : "…"}</output>
        <MissingBox feature={feature} value={value} onValue={onValue} />
        <NumberField feature={feature} value={value} refused={refused} onValue={onValue} />
      </div>
    </>
  );
}

/** Only the number: there are more cells than a slider can tell apart. */
function Exact({ feature, value, says, refused, onValue, id }: Props & { id: string }) {
  const told = says === undefined ? "" : cellText(feature, { says, text: says });
  return (
    <div class="under">
      <output for={id}>{refused ? "not possible" : told}</output>
      <MissingBox feature={feature} value={value} onValue={onValue} />
      <NumberField id={id} feature={feature} value={value} refused={refused} onValue={onValue} />
    </div>
  );
}

type Typed = Pick<Props, "feature" | "value" | "onValue">;

function MissingBox({ feature, value, onValue }: Typed) {
  const missing = feature.values.find((each) => each.raw === null);
  const numbers = feature.values.filter((each) => each.raw !== null);
  if (!missing) return null;
  return (
    <label class="missing">
      <input
        type="checkbox"
        checked={value === null}
        onChange={() => {
          const to = value === null ? numbers[Math.floor(numbers.length / 2)] : missing;
          if (to) onValue(to.raw, to.cell);
        }}
      />
      missing
    </label>
  );
}

/** The exact number. */
function NumberField({ id, feature, value, refused, onValue }: Typed & { id?: string; refused?: string | undefined }) {
  const missing = feature.values.find((each) => each.raw === null);
  const wrong = (typed: string) => {
    if (typed.trim() === "") return missing ? "" : "Type a number: a value is needed here.";
    const found = numberIn(typed);
    return typeof found === "string" ? found : "";
  };
  const take = (typed: string) => {
    const found = numberIn(typed);
    if (typeof found === "number") onValue(found, null);
    else if (missing) onValue(null, missing.cell);
  };
  return (
    <Field
      {...(id ? { id } : { label: `${feature.name}, exact number` })}
      text={value === null ? "" : String(value)}
      placeholder="missing"
      inputMode="decimal"
      wrong={wrong}
      {...(refused && { refused })}
      onTyped={take}
    />
  );
}
