/** What the server says of an audit; `summary` is that of reasons.audit(...).summary.as_dict(). */
import type { Instance, Value } from "../api.ts";

export interface Counted {
  known: number;
  biased: number;
  share: number | null;
}
export interface Treated {
  name: string;
  features: string[];
  decisions: Counted & {
    by_label: (Counted & { label: Value })[];
    by_group: (Counted & { column: string; says: string })[];
  };
  classifier: {
    biased: boolean | null;
    proof: string | null;
    why: string | null;
    witness: { one: Instance; other: Instance; labels: Value[] } | null;
  };
  domain: { share: number | null; weighted_share: number | null; weighting: string; why: string | null };
}
export interface Impact {
  column: string;
  why: string | null;
  groups: {
    group: string;
    says?: string;
    rows: number;
    rate: number | null;
    low: number | null;
    high: number | null;
    ratio: number | null;
    below: boolean | null;
    best_off: boolean;
  }[];
}
export interface Summary {
  rows: number;
  decided: number;
  problems: { rows: number; most_frequent: { problem: string; rows: number }[] };
  labels: { label: Value; rows: number; share: number | null }[];
  favourable: Value;
  reasons: { asked: number; some_necessary: number | null; only_one: number | null; alone: number | null };
  features: { feature: string; necessary_share: number | null; in_reason_share: number | null }[];
  treatment: { why: string | null; sets: Treated[] };
  impact: { why: string | null; interval: string; columns: Impact[] };
}
export interface Audited {
  id: string;
  rows: number;
  summary: Summary;
}
export interface Verdicts {
  total: number;
  start: number;
  columns: { name: string; kind: string }[];
  rows: Record<string, unknown>[];
}
