/** The control of one feature: a switch, a menu, or a slider over its cells. */
import { useId, useRef } from "preact/hooks";
import type { Feature, Value } from "../api/schemas.ts";
import { cellText, groupedNumber, valueText } from "../format.ts";
import { parseNumber } from "../validation.ts";
import { ValidatedInput } from "./ValidatedInput.tsx";

interface Props {
  feature: Feature;
  value: Value;
  /** null while the server has not placed a typed number. */
  cell: number | null;
  /** The server's text for the value, once it has answered. */
  characteristic?: string | undefined;
  necessary: boolean;
  isProtected: boolean;
  /** The value of the start instance, if it differs. */
  startValue: string | null;
  /** Why the server rejects the value. */
  error?: string | undefined;
  onValue: (value: Value, cell: number | null) => void;
}

export function FeatureControl(props: Props) {
  const { feature, necessary, isProtected, startValue } = props;
  const id = useId();
  return (
    <>
      <div class="name">
        <label for={id}>{feature.name}</label>
        {necessary && <span class="tag necessary" title="Part of every sufficient reason">◆ necessary</span>}
        {isProtected && <span class="tag" title="Protected feature">protected</span>}
      </div>
      {feature.kind === "boolean" && <Switch {...props} id={id} />}
      {feature.kind === "categorical" && <Menu {...props} id={id} />}
      {feature.kind === "numeric" && (listsAllCells(feature) ? <Slider {...props} id={id} /> : <NumberOnly {...props} id={id} />)}
      {startValue !== null && <p class="was">was {startValue}</p>}
    </>
  );
}

/** The server lists at most 1,000 cells of a feature. */
const listsAllCells = ({ values, cells }: Feature) => values.length >= cells;
const missingCell = ({ values }: Feature) => values.find((each) => each.raw === null);
const numberCells = ({ values }: Feature) => values.filter((each) => each.raw !== null);

function Switch({ feature, cell, onValue, id }: Props & { id: string }) {
  const on = cell === 1;
  const other = feature.values[on ? 0 : 1];
  return (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={on}
      onClick={() => other && onValue(other.raw, other.cell)}
    >
      <span class="thumb" />
      <span class="state">{feature.values[on ? 1 : 0]?.text}</span>
    </button>
  );
}

function Menu({ feature, value, cell, onValue, id }: Props & { id: string }) {
  return (
    <select
      id={id}
      value={String(cell ?? "")}
      onChange={(event) => {
        const chosen = feature.values.find((each) => String(each.cell) === event.currentTarget.value);
        if (chosen) onValue(chosen.raw, chosen.cell);
      }}
    >
      {cell === null && <option value="">{valueText(feature, value)}</option>}
      {feature.values.map((each) => (
        <option key={each.cell} value={String(each.cell)}>{cellText(feature, each)}</option>
      ))}
      {!listsAllCells(feature) && <option disabled>{`… ${groupedNumber(feature.cells - feature.values.length)} more values, not listed`}</option>}
    </select>
  );
}

function Slider({ feature, value, cell, error, onValue, id }: Props & { id: string }) {
  const numbers = numberCells(feature);
  const shown = feature.values.find((each) => each.cell === cell);
  // The slider keeps its position while the cell of a number is not known.
  const position = useRef(0);
  const index = numbers.findIndex((each) => each.cell === cell);
  if (index >= 0) position.current = index;
  return (
    <>
      <input
        id={id}
        type="range"
        min={0}
        max={numbers.length - 1}
        step={1}
        disabled={value === null}
        value={position.current}
        aria-valuetext={shown ? cellText(feature, shown) : valueText(feature, value)}
        onInput={(event) => {
          const chosen = numbers[Number(event.currentTarget.value)];
          if (chosen) onValue(chosen.raw, chosen.cell);
        }}
      />
      <div class="under">
        <output for={id}>{shown ? cellText(feature, shown) : error ? "not possible" : "…"}</output>
        <MissingCheckbox feature={feature} value={value} onValue={onValue} />
        <NumberInput feature={feature} value={value} error={error} onValue={onValue} />
      </div>
    </>
  );
}

/** A number field alone: there are more cells than a slider has positions. */
function NumberOnly({ feature, value, characteristic, error, onValue, id }: Props & { id: string }) {
  const interval = characteristic === undefined ? "" : cellText(feature, { says: characteristic, text: characteristic });
  return (
    <div class="under">
      <output for={id}>{error ? "not possible" : interval}</output>
      <MissingCheckbox feature={feature} value={value} onValue={onValue} />
      <NumberInput id={id} feature={feature} value={value} error={error} onValue={onValue} />
    </div>
  );
}

type InputProps = Pick<Props, "feature" | "value" | "onValue">;

function MissingCheckbox({ feature, value, onValue }: InputProps) {
  const missing = missingCell(feature);
  const numbers = numberCells(feature);
  if (!missing) return null;
  return (
    <label class="missing">
      <input
        type="checkbox"
        checked={value === null}
        onChange={() => {
          const next = value === null ? numbers[Math.floor(numbers.length / 2)] : missing;
          if (next) onValue(next.raw, next.cell);
        }}
      />
      missing
    </label>
  );
}

function NumberInput({ id, feature, value, error, onValue }: InputProps & { id?: string; error?: string | undefined }) {
  const missing = missingCell(feature);
  const validate = (typed: string) => {
    if (typed.trim() === "") return missing ? "" : "Enter a number: this value cannot be missing.";
    const parsed = parseNumber(typed);
    return typeof parsed === "string" ? parsed : "";
  };
  const commit = (typed: string) => {
    const parsed = parseNumber(typed);
    if (typeof parsed === "number") onValue(parsed, null);
    else if (missing) onValue(null, missing.cell);
  };
  return (
    <ValidatedInput
      {...(id ? { id } : { label: `${feature.name}, exact number` })}
      text={value === null ? "" : String(value)}
      placeholder="missing"
      inputMode="decimal"
      validate={validate}
      {...(error && { error })}
      onCommit={commit}
    />
  );
}
