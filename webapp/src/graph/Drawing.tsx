/** A graph as SVG: laid out off the main thread, moved and zoomed by the reader. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Graph } from "../api.ts";
import { saveSvg } from "../download.ts";
import { type Camera, fitting, LEGIBLE, opening, sees, type Size } from "./camera.ts";
import { Desk, type Placed, placed, shapeOf } from "./layout.ts";
import type { Light } from "./lit.ts";
import { Parts } from "./Parts.tsx";
import { usePan } from "./usePan.ts";

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
  const all = fitting(layout, size);
  const opened = useRef<string | null>(null);
  const { camera, element, handlers, zoom, reset } = useCamera(layout, size, graph, !props.lit, opened);
  const onOpen = (id: string) => {
    opened.current = id;
    props.onOpen?.(id);
  };
  // The same parts while the camera moves, so that they are not gone through again.
  const parts = useMemo(() => <Parts {...props} onOpen={onOpen} />, [layout, graph, props.lit, props.marked]);
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

/** The camera: at first on the way, and on it again when it has left the sight; on a node that was opened. */
function useCamera(layout: Placed, size: Size, graph: Graph, follows: boolean, opened: { current: string | null }) {
  const at = (id: string, of: Placed) => of.nodes.find(({ node }) => node.id === id);
  const on = new Set(graph.nodes.flatMap((node) => (node.on_path ? [node.id] : [])));
  const way = follows ? layout.nodes.filter(({ node }) => on.has(node.id)) : [];
  const top = at(graph.root, layout) ?? { x: 0, y: 0, width: layout.width, height: 0 };
  const first = opening(layout, size, way, top);
  const before = useRef({ layout, size });
  const next = (old: Camera) => {
    const same = before.current.layout === layout;
    const [was, is] = opened.current ? [at(opened.current, before.current.layout), at(opened.current, layout)] : [];
    if (was && is && !same)
      return { ...old, x: old.x + (was.x - is.x) * old.scale, y: old.y + (was.y - is.y) * old.scale };
    const sized = before.current.size.width === size.width && before.current.size.height === size.height;
    return same && sized && sees(old, size, way) ? old : first;
  };
  const found = usePan(first, next, [layout, size.width, size.height, way.map(({ node }) => node.id).join()], fitting(layout, size), size);
  useEffect(() => {
    if (before.current.layout !== layout) opened.current = null;
    before.current = { layout, size };
  }, [layout, size.width, size.height]);
  return found;
}

function fileName(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60);
}
