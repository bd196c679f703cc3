/** Lines of a drawing. Pure. */
import type { Point } from "./layout.ts";

const ROUND = 9;

function towards(from: Point, to: Point, most: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.min(most, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A line through the points with its corners rounded. */
export function rounded(points: Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return "";
  let previous = first;
  const corners = rest.map((corner, i) => {
    const next = rest[i + 1] ?? last;
    const [into, out] = [towards(corner, previous, ROUND), towards(corner, next, ROUND)];
    previous = corner;
    return `L${at(into)}Q${at(corner)} ${at(out)}`;
  });
  return `M${at(first)}${corners.join("")}L${at(last)}`;
}
