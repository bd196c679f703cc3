/** The visible part of a drawing: its offset and scale. Pure. */

export interface Viewport {
  x: number;
  y: number;
  scale: number;
}
export interface Size {
  width: number;
  height: number;
}
export type Box = Size & { x: number; y: number };

export const MIN_SCALE = 0.05;
export const MAX_SCALE = 4;

/** Text is hard to read below this scale, so only a part of a larger drawing is shown at first. */
export const READABLE_SCALE = 0.72;

/** An overview is worth smaller text: a whole drawing is shown down to this scale, a whole path even below. */
const MIN_SCALE_WHOLE = 0.62;
const MIN_SCALE_PATH = 0.5;
const MARGIN = 12;

/** The viewport that shows the whole drawing, never enlarged. */
export function fitAll(drawing: Size, frame: Size): Viewport {
  return centered({ x: 0, y: 0, ...drawing }, frame, Math.min(1, frame.width / drawing.width, frame.height / drawing.height));
}

function centered(box: Box, frame: Size, wanted: number): Viewport {
  const scale = Math.max(MIN_SCALE, wanted);
  return {
    scale,
    x: frame.width / 2 - (box.x + box.width / 2) * scale,
    y: frame.height / 2 - (box.y + box.height / 2) * scale,
  };
}

/** The smallest box that contains all boxes; null if there are none. */
export function boundingBox(boxes: Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** The whole drawing if that is readable; otherwise the whole path, or as much of it as fits, from its top. */
export function initialViewport(drawing: Size, frame: Size, path: Box[], root: Box): Viewport {
  const all = fitAll(drawing, frame);
  if (all.scale >= MIN_SCALE_WHOLE) return all;
  const whole = boundingBox(path.length ? path : [root])!;
  const scale = Math.min(READABLE_SCALE, (frame.width - 2 * MARGIN) / whole.width, (frame.height - 2 * MARGIN) / whole.height);
  if (path.length && scale >= MIN_SCALE_PATH) return centered(whole, frame, scale);
  const first = path.filter((box) => (box.y - whole.y) * READABLE_SCALE < frame.height - 2 * MARGIN);
  const visible = boundingBox(first.length ? first : [root])!;
  const middle = visible.width * READABLE_SCALE <= frame.width ? visible : root;
  return { ...centered(middle, frame, READABLE_SCALE), y: MARGIN - visible.y * READABLE_SCALE };
}

/** Whether all boxes are inside the frame. */
export function isVisible({ x, y, scale }: Viewport, frame: Size, boxes: Box[]): boolean {
  const box = boundingBox(boxes);
  if (!box) return true;
  const left = box.x * scale + x;
  const top = box.y * scale + y;
  return left >= 0 && top >= 0 && left + box.width * scale <= frame.width && top + box.height * scale <= frame.height;
}

/** Zoomed by a factor about a point of the frame. */
export function zoomed(viewport: Viewport, factor: number, x: number, y: number): Viewport {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, viewport.scale * factor));
  const change = scale / viewport.scale;
  return { scale, x: x - (x - viewport.x) * change, y: y - (y - viewport.y) * change };
}
