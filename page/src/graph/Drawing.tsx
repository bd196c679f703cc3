/** A graph as SVG: laid out off the main thread, moved and zoomed by the reader. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Graph } from "../api.ts";
import { saveSvg } from "../download.ts";
import { Desk, type Placed, placed, shapeOf } from "./layout.ts";
import type { Light } from "./lit.ts";
import { Parts } from "./Parts.tsx";
import { fitting, usePan } from "./usePan.ts";

export interface DrawingProps {
  graph: Graph;
  /** What the drawing is, for those who do not see it and for the file's name. */
  label: string;
  /** Whether each node holds; where absent, the nodes' own `on_path` is shown. */
  lit?: Map<string, Light>;
  /** Texts of literals that are marked as necessary. */
  marked?: Set<string>;
  tallest?: number;
  onOpen?: (id: string) => void;
}

/** Below this scale texts are too small to read: then only a part is shown at first. */
const LEGIBLE = 0.72;

/** A drawing that is wider gets the whole line, where there is a choice. */
const WIDE = 640;

/** The layout of a graph; the last one while a new one is made. */
function useLayout(graph: Graph): { layout: Placed | null; busy: boolean; failed: boolean } {
  const shape = useMemo(() => shapeOf(graph), [graph]);
  const [done, setDone] = useState<{ shape: string; layout: Placed | null } | null>(null);
  const desk = useMemo(() => new Desk(), []);
  useEffect(() => () => desk.close(), []);
  useEffect(() => {
    let wanted = true;
    const finish = (layout: Placed | null) => wanted && setDone({ shape, layout });
    placed(graph, desk).then(finish, () => finish(null));
    return () => {
      wanted = false;
    };
  }, [shape]);
  const busy = done?.shape !== shape;
  return { layout: done?.layout ?? null, busy, failed: !busy && !done?.layout };
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(() => setWidth(frame.current?.clientWidth ?? 0));
    if (frame.current) watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  return { frame, width };
}

export function Drawing(props: DrawingProps) {
  const { graph, label, tallest = 420 } = props;
  const { layout, busy, failed } = useLayout(graph);
  const { frame, width } = useWidth();
  return (
    <figure class={`drawing ${layout && layout.width > WIDE ? "wide" : ""}`} aria-busy={busy}>
      <div ref={frame} class="frame">
        {layout && width > 0 && <Canvas {...props} layout={layout} width={width} tallest={tallest} />}
        {busy && <p class="drawing-now" role="status">Drawing…</p>}
        {failed && <p class="quiet">This could not be laid out.</p>}
      </div>
      <figcaption class="sr">{label}</figcaption>
    </figure>
  );
}

function Canvas(props: DrawingProps & { layout: Placed; width: number; tallest: number }) {
  const { layout, width, tallest, label, graph } = props;
  const height = Math.min(tallest, Math.max(60, layout.height * Math.min(1, Math.max(LEGIBLE, width / layout.width)) + 8));
  const size = { width, height };
  const first = useMemo(() => opening(layout, size, graph), [layout, width, height]);
  const all = fitting(layout, size);
  const { camera, element, handlers, zoom, reset } = usePan(first, all, size);
  // The same parts while the camera moves, so that they are not gone through again.
  const parts = useMemo(() => <Parts {...props} />, [layout, graph, props.lit, props.marked]);
  const onPaper = { "--all": `translate(${all.x}px, ${all.y}px) scale(${all.scale})` };
  const save = () => element.current && saveSvg(fileName(label), element.current, layout.width, layout.height);
  return (
    <>
      <svg
        ref={element}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        tabindex={0}
        role="group"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all.`}
        {...handlers}
      >
        <g style={onPaper} transform={`translate(${camera.x} ${camera.y}) scale(${camera.scale})`}>
          {parts}
        </g>
      </svg>
      <div class="tools" role="group" aria-label={`Drawing: ${label}`}>
        <button type="button" onClick={() => zoom(1.3)} aria-label="Zoom in" title="Zoom in">+</button>
        <button type="button" onClick={() => zoom(1 / 1.3)} aria-label="Zoom out" title="Zoom out">−</button>
        <button type="button" onClick={reset} aria-label="Show all of it" title="Show all of it">⤢</button>
        <button type="button" onClick={save} class="wide" aria-label={`Download as SVG: ${label}`}>SVG</button>
      </div>
    </>
  );
}

/** All of it where that stays legible; otherwise its lit part or else its root, from the top, at a size that can be read. */
function opening(layout: Placed, frame: { width: number; height: number }, graph: Graph) {
  const all = fitting(layout, frame);
  if (all.scale >= LEGIBLE) return all;
  const lit = new Set(graph.nodes.flatMap((node) => (node.on_path ? [node.id] : [])));
  const seen = layout.nodes.filter(({ node, y }) => lit.has(node.id) && y * LEGIBLE < frame.height);
  const left = Math.min(...seen.map(({ x }) => x));
  const right = Math.max(...seen.map(({ x, width }) => x + width));
  const root = layout.nodes.find(({ node }) => node.id === graph.root);
  const fits = (right - left) * LEGIBLE <= frame.width;
  const middle = seen.length && fits ? (left + right) / 2 : (root?.x ?? 0) + (root?.width ?? 0) / 2;
  return { scale: LEGIBLE, x: frame.width / 2 - middle * LEGIBLE, y: 8 };
}

function fileName(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60);
}
