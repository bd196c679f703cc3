/** SVG paths with rounded corners. Pure. */
import type { Point } from "./layout.ts";

const RADIUS = 9;

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

const coordinates = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The `d` attribute of a polyline through the points, with its corners rounded. */
export function roundedPath(points: Point[]): string {
  const [first, ...corners] = points;
  const last = corners.pop();
  if (!first || !last) return "";
  let previous = first;
  const curves = corners.map((corner, i) => {
    const next = corners[i + 1] ?? last;
    const [start, end] = [towards(corner, previous, RADIUS), towards(corner, next, RADIUS)];
    previous = corner;
    return `L${coordinates(start)}Q${coordinates(corner)} ${coordinates(end)}`;
  });
  return `M${coordinates(first)}${curves.join("")}L${coordinates(last)}`;
}
