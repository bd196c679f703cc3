/** Short names for the generated types of the API. */
import type { components } from "./types.ts";

type Schemas = components["schemas"];

export type Model = Schemas["Model"];
export type Feature = Schemas["Feature"];
export type CellValue = Schemas["CellValue"];
export type Instance = Schemas["Decided"]["instance"];
export type Value = Instance[string];
export type Characteristic = Schemas["Characteristic"];
export type Term = Schemas["Term"];
export type TermSet = Schemas["Terms"];
export type Decision = Schemas["Decided"];
export type Explanation = Schemas["Explained"];
export type Counterfactual = Schemas["Change"];
export type EvenIf = Schemas["Sticks"];
export type Bias = Schemas["Bias"];
export type Cells = Schemas["Cells"];
export type Row = Schemas["Row"];
export type AuditSummary = Schemas["Summary"];
export type ProtectedSet = Schemas["ProtectedSet"];
export type ColumnImpact = Schemas["ColumnImpact"];
export type AuditRows = Schemas["AuditRows"];
export type Edge = Schemas["Edge"];

/** A node of a drawn graph. `rest` is made here: it stands for children that are not drawn. */
export type Node = Omit<Schemas["Node"], "kind"> & { kind: Schemas["Node"]["kind"] | "rest" };
export type Graph = Omit<Schemas["Graph"], "nodes"> & { nodes: Node[] };
