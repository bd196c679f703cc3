/** What the server answers, typed after /api/v1/openapi.json, and the one way to ask it. */

export type Value = number | string | boolean | null;
export type Instance = Record<string, Value>;

export interface Cell {
  cell: number;
  text: string;
  says: string;
  raw: Value;
}
export interface Feature {
  name: string;
  kind: "boolean" | "categorical" | "numeric";
  /** How many there are; of more than 1,000 not all are in `values`, but missing is. */
  cells: number;
  values: Cell[];
}
export interface Model {
  version: string;
  name: string;
  method: "compiled" | "search" | "clauses";
  labels: Value[];
  label_texts: string[];
  nodes: number | null;
  notes: string[];
  constraint: string | null;
  protected: string[];
  rows: number | null;
  /** A case to begin with, which is possible: the first such row, or usual values. */
  first: { row: number | null; instance: Instance };
  features: Feature[];
}
export interface Characteristic {
  feature: string;
  text: string;
  cell: number;
}
export interface Term {
  text: string;
  characteristics: Characteristic[];
}
export interface Decision {
  label: Value;
  label_text: string;
  instance: Instance;
  cells: number[];
  characteristics: Characteristic[];
}
/** Where values fall, also where there is no decision. */
export interface Cells {
  instance: Instance;
  cells: (number | null)[];
  problems?: Record<string, string>;
}
export interface TermSet {
  count: string | null;
  shown: Term[];
  shares: { feature: string; share: number }[];
  note: string | null;
}
export interface Change {
  label: Value;
  label_text: string;
  instance: Instance;
  changed: { feature: string; from: Value; to: Value }[];
}
export interface GraphNode {
  id: string;
  kind: string;
  text: string;
  on_path: boolean;
  hidden_children: number;
  /** Of a literal of a reason: it holds where the feature is in one of the cells. */
  feature: string | null;
  cells: number[] | null;
}
export interface GraphEdge {
  from: string;
  to: string;
  text: string;
  on_path: boolean;
}
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  root: string;
  total: number;
}
export interface Explanation extends Decision {
  sentences: string[];
  /** One reason with its values as wide as they go; null where nothing can be widened. */
  widened: Term | null;
  complete_reason: { text: string; graph: Graph } | null;
  sufficient_reasons: TermSet;
  /** null where `notes` say why it is not known; so are other parts, or empty. */
  necessary: Term | null;
  necessary_reason: Term | null;
  changes: Change[];
  contrastive_sets: TermSet;
  notes: string[];
}
export interface EvenIf {
  before: Value;
  after: Value;
  sticks: boolean;
  because: Term[];
  sentence: string;
}
export interface BiasAnswer {
  decision: { biased: boolean; witness: Instance | null; witness_label: Value; proof: string } | null;
  classifier: {
    /** null where `note` says why it is not known. */
    biased: boolean | null;
    pair: [Instance, Instance] | null;
    labels: Value[];
    proof: string | null;
    note: string | null;
  };
}
export interface Row {
  row: number;
  /** In columns that are no features. */
  others: Instance;
  /** null where `problem` says what is wrong with the row. */
  instance: Instance | null;
  label_text: string | null;
  problem: string | null;
}
export interface Rows {
  total: number;
  start: number;
  columns: string[];
  others: string[];
  rows: Row[];
}

/** Why there is no answer: the server's own error, or that it is not there. */
export class Problem extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const GONE =
  "The server does not answer. It may have been stopped: start it again with `reasons serve`, then try again.";

/** The answer to one question; a `Problem` otherwise. GET where there is no body. */
export async function asked<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const wanted: RequestInit = signal ? { signal } : {};
  if (body !== undefined) {
    wanted.method = "POST";
    wanted.headers = { "Content-Type": "application/json" };
    wanted.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(`api/v1/${path}`, wanted);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("ServerGone", GONE, 0);
  }
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok && said !== null) return said as T;
  throw problemIn(said, answer.status);
}

function problemIn(said: unknown, status: number): Problem {
  const error = (said as { error?: { kind?: string; message?: string } } | null)?.error;
  return new Problem(error?.kind ?? "Problem", error?.message ?? `The server answered ${status}.`, status);
}
