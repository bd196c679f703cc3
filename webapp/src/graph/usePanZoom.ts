/** Panning and zooming of a drawing by pointer, wheel, pinch and keys. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Size, type Viewport, zoomed } from "./viewport.ts";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40],
};

interface Options {
  initial: Viewport;
  /** The viewport after one of `dependencies` has changed. */
  update: (old: Viewport) => Viewport;
  dependencies: unknown[];
  /** The viewport that shows everything. */
  all: Viewport;
  frame: Size;
}

export function usePanZoom({ initial, update, dependencies, all, frame }: Options) {
  const [viewport, move] = useState(initial);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const element = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => move(update), dependencies);
  const zoom = useCallback(
    (factor: number) => move((old) => zoomed(old, factor, frame.width / 2, frame.height / 2)),
    [frame.width, frame.height],
  );
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
      event.preventDefault();
      move((old) => zoomed(old, Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY));
    };
    element.current?.addEventListener("wheel", onWheel, { passive: false });
    return () => element.current?.removeEventListener("wheel", onWheel);
  }, []);
  const onPointerDown = (event: PointerEvent) => {
    if ((event.target as Element).closest("[role=button]")) return;
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    const now = { x: event.clientX, y: event.clientY };
    pointers.current.set(event.pointerId, now);
    if (!other) return move((old) => ({ ...old, x: old.x + now.x - before.x, y: old.y + now.y - before.y }));
    const spread = (from: typeof now) => Math.hypot(from.x - other.x, from.y - other.y) || 1;
    move((old) => zoomed(old, spread(now) / spread(before), frame.width / 2, frame.height / 2));
  };
  const onPointerUp = (event: PointerEvent) => pointers.current.delete(event.pointerId);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ARROWS[event.key];
    if (step) move((old) => ({ ...old, x: old.x + step[0], y: old.y + step[1] }));
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") move(all);
    else return;
    event.preventDefault();
  };
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onKeyDown };
  return { viewport, element, handlers, zoom, reset: () => move(all) };
}
