/** All requests about the instance on the page: first the decision, then its explanation, then the rest. */
import { useLayoutEffect } from "preact/hooks";
import { get, post } from "../api/client.ts";
import type { Bias, Decision, EvenIf, Explanation, Instance, Row } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { cellsOf, changedFeatures } from "../cells.ts";
import { currentInstance } from "../urlState.ts";
import { type QueryResult, useQuery } from "../useQuery.ts";

/** How many reasons and contrastive sets are listed. */
const MAX_TERMS = 20;

export interface CurrentDecision {
  startInstance: Instance;
  instance: Instance;
  /** The cells of its values; null where a cell is not known, or the value is impossible. */
  cells: (number | null)[];
  startCells: (number | null)[];
  /** Features whose cell differs from the start instance. */
  changed: Set<string>;
  /** Why single values are impossible, by feature. */
  valueErrors: Record<string, string>;
  /** Of an impossible instance: whether each value by itself is possible; null while that is not known. */
  impossibleTogether: boolean | null;
  protected: string[];
  decision: QueryResult<Decision>;
  startDecision: QueryResult<Decision>;
  explanation: QueryResult<Explanation>;
  /** Requested only where it is shown. */
  startExplanation: QueryResult<Explanation>;
  evenIf: QueryResult<EvenIf>;
  bias: QueryResult<Bias>;
}

/** Chooses a start instance if the URL has none: its row, or the model's default instance.
 *
 * A row that cannot be decided stays a response with a `problem`, which the view shows.
 */
export function useStartInstance(): QueryResult<Row> {
  const { model, state, navigate } = useApp();
  const enabled = !state.startInstance && state.row !== null;
  const row = useQuery(get("rows/{row}", { path: { row: state.row ?? 0 } }), { enabled });
  useLayoutEffect(() => {
    if (state.startInstance) return;
    const instance = row.fresh ? row.data?.instance : null;
    if (state.row === null) navigate({ startInstance: model.first.instance, row: model.first.row }, true);
    else if (instance) navigate({ startInstance: instance }, true);
  });
  return row;
}

export function useDecision(startInstance: Instance): CurrentDecision {
  const { model, state, debounce } = useApp();
  const instance = currentInstance(state) ?? startInstance;
  const protectedNames = state.protected ?? model.protected;
  const hasChanges = Object.keys(state.changes).length > 0;
  const decision = useQuery(post("decide", { instance }));
  const unchanged = useQuery(post("decide", { instance: startInstance }), { enabled: hasChanges });
  const startDecision = hasChanges ? unchanged : decision;
  const explain = (of: Instance) =>
    post("explain", { instance: of, protected: protectedNames, immutable: state.immutable, limit: MAX_TERMS });
  const explanation = useQuery(explain(instance), { delay: debounce });
  // An instance that cannot be decided still has values, most of which have cells.
  const placed = useQuery(post("cells", { instance }), { enabled: decision.error?.status === 400 });
  const responses = [decision.data, placed.data, startDecision.data];
  const cells = cellsOf(model, instance, responses);
  const startCells = cellsOf(model, startInstance, responses);
  const changed = changedFeatures(model, { instance: startInstance, cells: startCells }, { instance, cells });
  const startExplanation = useQuery(explain(startInstance), {
    enabled: explanation.fresh && changed.size > 0 && state.reasonOf === "start",
  });
  const change = Object.fromEntries(Object.entries(instance).filter(([name]) => changed.has(name)));
  const evenIf = useQuery(post("even-if", { instance: startInstance, change }), {
    enabled: decision.fresh && startDecision.fresh && changed.size > 0,
    delay: debounce,
  });
  const bias = useQuery(post("bias", { protected: protectedNames, instance }), {
    enabled: explanation.fresh && protectedNames.length > 0,
  });
  useMeasure("decided", decision.fresh, instance);
  useMeasure("explained", explanation.fresh, instance);
  const valueErrors = (placed.fresh && placed.data?.problems) || {};
  const impossibleTogether = placed.fresh ? Object.keys(valueErrors).length === 0 : null;
  return {
    startInstance, instance, cells, startCells, changed, valueErrors, impossibleTogether,
    protected: protectedNames, decision, startDecision, explanation, startExplanation, evenIf, bias,
  };
}

/** Records the time from the last change to the painted response as a performance measure. */
function useMeasure(name: string, fresh: boolean, instance: Instance): void {
  useLayoutEffect(() => {
    if (!fresh || !performance.getEntriesByName("changed").length) return;
    const frame = requestAnimationFrame(() => performance.measure(name, "changed"));
    return () => cancelAnimationFrame(frame);
  }, [fresh, JSON.stringify(instance)]);
}
