/** Where a drawing is looked at from. Pure. */

export interface Camera {
  x: number;
  y: number;
  scale: number;
}
export interface Size {
  width: number;
  height: number;
}
export type Box = Size & { x: number; y: number };

export const LEAST = 0.05;
export const MOST = 4;

/** Below this scale texts are hard to read: then only a part is shown at first. */
export const LEGIBLE = 0.72;

/** A whole says more than its parts: it is shown down to this scale, and a way even further. */
const STILL = 0.62;
const STILL_WAY = 0.5;
const MARGIN = 12;

/** The camera that shows all of a drawing, never larger than life. */
export function fitting(drawing: Size, frame: Size): Camera {
  return facing({ x: 0, y: 0, ...drawing }, frame, Math.min(1, frame.width / drawing.width, frame.height / drawing.height));
}

/** The camera at a scale with a box in its middle. */
function facing(box: Box, frame: Size, wanted: number): Camera {
  const scale = Math.max(LEAST, wanted);
  return {
    scale,
    x: frame.width / 2 - (box.x + box.width / 2) * scale,
    y: frame.height / 2 - (box.y + box.height / 2) * scale,
  };
}

/** The smallest box around boxes; null around none. */
export function around(boxes: Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** All of it where that is legible; otherwise the way, as a whole if it can be, else from its top on. */
export function opening(drawing: Size, frame: Size, way: Box[], top: Box): Camera {
  const all = fitting(drawing, frame);
  if (all.scale >= STILL) return all;
  const whole = around(way.length ? way : [top])!;
  const scale = Math.min(LEGIBLE, (frame.width - 2 * MARGIN) / whole.width, (frame.height - 2 * MARGIN) / whole.height);
  if (way.length && scale >= STILL_WAY) return facing(whole, frame, scale);
  const first = way.filter((box) => (box.y - whole.y) * LEGIBLE < frame.height - 2 * MARGIN);
  const seen = around(first.length ? first : [top])!;
  const middle = seen.width * LEGIBLE <= frame.width ? seen : top;
  return { ...facing(middle, frame, LEGIBLE), y: MARGIN - seen.y * LEGIBLE };
}

/** Whether all of some boxes, or of many the first ones, are in sight. */
export function sees({ x, y, scale }: Camera, frame: Size, boxes: Box[]): boolean {
  const box = around(boxes);
  if (!box) return true;
  const left = box.x * scale + x;
  const top = box.y * scale + y;
  return left >= 0 && top >= 0 && left + box.width * scale <= frame.width && top + box.height * scale <= frame.height;
}
