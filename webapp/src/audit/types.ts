/** The summary of an audit, as `reasons.audit(...).summary.as_dict()` returns it.
 *
 * Written by hand: the server's schema declares it as any object.
 */
import type { Instance, Value } from "../api/schemas.ts";

export interface BiasCount {
  known: number;
  biased: number;
  share: number | null;
}
export interface Treatment {
  name: string;
  features: string[];
  decisions: BiasCount & {
    by_label: (BiasCount & { label: Value })[];
    by_group: (BiasCount & { column: string; says: string })[];
  };
  classifier: {
    biased: boolean | null;
    proof: string | null;
    why: string | null;
    witness: { one: Instance; other: Instance; labels: Value[] } | null;
  };
  domain: { share: number | null; weighted_share: number | null; weighting: string; why: string | null };
}
export interface ColumnImpact {
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
  treatment: { why: string | null; sets: Treatment[] };
  impact: { why: string | null; interval: string; columns: ColumnImpact[] };
}
