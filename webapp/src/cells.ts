/** The cells of instances, and where two instances differ. Pure. */
import type { Instance, Model } from "./api/schemas.ts";

/** An instance with the cell of each value, in feature order; null where a cell is not known. */
export interface InstanceCells {
  instance: Instance;
  cells: (number | null)[];
}

/** The cell of each value: from any response that has the same value, or from the model's list of cells. */
export function cellsOf({ features }: Model, instance: Instance, responses: (InstanceCells | null)[]): (number | null)[] {
  return features.map((feature, i) => {
    const value = instance[feature.name] ?? null;
    const known = responses.find((response) => response && (response.instance[feature.name] ?? null) === value);
    return known ? (known.cells[i] ?? null) : (feature.values.find((cell) => cell.raw === value)?.cell ?? null);
  });
}

/** The features whose cell differs; where a cell is not known, those whose value does. */
export function changedFeatures({ features }: Model, a: InstanceCells, b: InstanceCells): Set<string> {
  const differs = (name: string, i: number) => {
    const [one, other] = [a.cells[i] ?? null, b.cells[i] ?? null];
    return one === null || other === null ? a.instance[name] !== b.instance[name] : one !== other;
  };
  return new Set(features.flatMap(({ name }, i) => (differs(name, i) ? [name] : [])));
}
