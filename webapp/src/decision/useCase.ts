/** Everything asked about the case on the page: the decision, right behind it why, the rest after that. */
import { useLayoutEffect } from "preact/hooks";
import type { BiasAnswer, Cells, Decision, EvenIf, Explanation, Instance, Row } from "../api.ts";
import { type Asked, useAsked } from "../asking.ts";
import { usePage } from "../page.ts";
import { current } from "../state.ts";
import { cellsOf, differing } from "../values.ts";

export const LIMIT = 20;

export interface Case {
  start: Instance;
  now: Instance;
  /** The cells of its values; null where one is not known, or there is none. */
  cells: (number | null)[];
  /** Those of the starting case. */
  startCells: (number | null)[];
  /** Features whose cell differs from the starting case. */
  changed: Set<string>;
  /** Why single values are not possible. */
  refused: Record<string, string>;
  /** Of a case that is not possible: whether each value by itself is; null while that is not known. */
  apart: boolean | null;
  protected: string[];
  before: Asked<Decision>;
  decided: Asked<Decision>;
  explained: Asked<Explanation>;
  /** The explanation of the starting case, where it is another and was asked for. */
  origin: Asked<Explanation>;
  evenIf: Asked<EvenIf>;
  bias: Asked<BiasAnswer>;
}

/** Chooses a starting case where the URL names none: the row it names, or the model's first case.
 *
 * A row that was asked for and cannot be decided stays an answer with a problem, to be shown.
 */
export function useStart(): Asked<Row> {
  const { model, state, go } = usePage();
  const picked = useAsked<Row>(`rows/${state.row}`, undefined, !state.start && state.row !== null);
  useLayoutEffect(() => {
    if (state.start) return;
    const found = picked.fresh ? picked.answer?.instance : null;
    if (state.row === null) go({ start: model.first.instance, row: model.first.row }, true);
    else if (found) go({ start: found }, true);
  });
  return picked;
}

export function useCase(start: Instance): Case {
  const { model, state, wait } = usePage();
  const now = current(state) ?? start;
  const named = state.protected ?? model.protected;
  const other = Object.keys(state.change).length > 0;
  const decided = useAsked<Decision>("decide", { instance: now });
  const first = useAsked<Decision>("decide", { instance: start }, other);
  const before = other ? first : decided;
  const about = (instance: Instance) => ({ instance, protected: named, immutable: state.fixed, limit: LIMIT });
  const explained = useAsked<Explanation>("explain", about(now), true, wait);
  const ready = explained.fresh;
  // A case that cannot be decided still has values, and they have places.
  const placed = useAsked<Cells>("cells", { instance: now }, decided.problem?.status === 400);
  const answers = [decided.answer, placed.answer, before.answer];
  const cells = cellsOf(model, now, answers);
  const startCells = cellsOf(model, start, answers);
  const changed = differing(model, { instance: start, cells: startCells }, { instance: now, cells });
  const origin = useAsked<Explanation>("explain", about(start), ready && changed.size > 0 && state.reason === "start");
  const change = Object.fromEntries(Object.entries(now).filter(([name]) => changed.has(name)));
  const compared = decided.fresh && before.fresh && changed.size > 0;
  const evenIf = useAsked<EvenIf>("even-if", { instance: start, change }, compared, wait);
  const bias = useAsked<BiasAnswer>("bias", { protected: named, instance: now }, ready && named.length > 0);
  useMeasured("decided", decided.fresh, now);
  useMeasured("explained", explained.fresh, now);
  const refused = (placed.fresh && placed.answer?.problems) || {};
  const apart = placed.fresh ? Object.keys(refused).length === 0 : null;
  return { start, now, cells, startCells, changed, refused, apart, protected: named, before, decided, explained, origin, evenIf, bias };
}

/** Records how long after the last change the answer was on the page, for the browser's own tools. */
function useMeasured(name: string, fresh: boolean, now: Instance): void {
  useLayoutEffect(() => {
    if (!fresh || !performance.getEntriesByName("changed").length) return;
    const frame = requestAnimationFrame(() => performance.measure(name, "changed"));
    return () => cancelAnimationFrame(frame);
  }, [fresh, JSON.stringify(now)]);
}
