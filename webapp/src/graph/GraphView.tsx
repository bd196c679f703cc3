/** A graph as an SVG drawing that can be panned and zoomed; its layout is made off the main thread. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Graph } from "../api/schemas.ts";
import { saveSvg } from "../download.ts";
import type { Truth } from "./evaluateReason.ts";
import { GraphElements } from "./GraphElements.tsx";
import { type GraphLayout, layoutGraph, layoutKey } from "./layout.ts";
import { LayoutWorker } from "./LayoutWorker.ts";
import { usePanZoom } from "./usePanZoom.ts";
import { fitAll, initialViewport, isVisible, READABLE_SCALE, type Size, type Viewport } from "./viewport.ts";

export interface GraphViewProps {
  graph: Graph;
  /** Names the drawing for screen readers and the saved file. */
  label: string;
  /** The truth of each node of a reason; without it, the nodes' own `on_path` is shown. */
  truths?: Map<string, Truth>;
  /** Texts of the literals that are marked as necessary. */
  necessary?: Set<string>;
  maxHeight?: number;
  onExpand?: (id: string) => void;
}

/** A wider drawing gets a line of its own, where it would share one. */
const WIDE = 640;

/** The layout of a graph; the previous one while a new one is made. */
function useLayout(graph: Graph): { layout: GraphLayout | null; busy: boolean; failed: boolean } {
  const key = useMemo(() => layoutKey(graph), [graph]);
  const [done, setDone] = useState<{ key: string; layout: GraphLayout | null } | null>(null);
  const worker = useMemo(() => new LayoutWorker(), []);
  useEffect(() => () => worker.terminate(), []);
  useEffect(() => {
    let current = true;
    const finish = (layout: GraphLayout | null) => current && setDone({ key, layout });
    layoutGraph(graph, worker).then(finish, () => finish(null));
    return () => {
      current = false;
    };
  }, [key]);
  const busy = done?.key !== key;
  return { layout: done?.layout ?? null, busy, failed: !busy && !done?.layout };
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(frame.current?.clientWidth ?? 0));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
}

export function GraphView(props: GraphViewProps) {
  const { graph, label, maxHeight = 420 } = props;
  const { layout, busy, failed } = useLayout(graph);
  const { frame, width } = useWidth();
  return (
    <figure class={`drawing ${layout && layout.width > WIDE ? "wide" : ""}`} aria-busy={busy}>
      <div ref={frame} class="frame">
        {layout && width > 0 && <Canvas {...props} layout={layout} width={width} maxHeight={maxHeight} />}
        {busy && <p class="drawing-now" role="status">Drawing…</p>}
        {failed && <p class="quiet">The graph could not be drawn.</p>}
      </div>
      <figcaption class="sr">{label}</figcaption>
    </figure>
  );
}

function Canvas(props: GraphViewProps & { layout: GraphLayout; width: number; maxHeight: number }) {
  const { layout, width, maxHeight, label, graph } = props;
  const scale = Math.min(1, Math.max(READABLE_SCALE, width / layout.width));
  const height = Math.min(maxHeight, Math.max(60, layout.height * scale + 8));
  const size = { width, height };
  const all = fitAll(layout, size);
  const expanded = useRef<string | null>(null);
  const { viewport, element, handlers, zoom, reset } = useViewport(layout, size, graph, !props.truths, expanded);
  const onExpand = (id: string) => {
    expanded.current = id;
    props.onExpand?.(id);
  };
  // Memoized, so that panning does not render every element again.
  const elements = useMemo(() => <GraphElements {...props} onExpand={onExpand} />, [layout, graph, props.truths, props.necessary]);
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
        <g style={onPaper} transform={`translate(${viewport.x} ${viewport.y}) scale(${viewport.scale})`}>
          {elements}
        </g>
      </svg>
      <div class="tools" role="group" aria-label={`Drawing: ${label}`}>
        <button type="button" onClick={() => zoom(1.3)} aria-label="Zoom in" title="Zoom in">+</button>
        <button type="button" onClick={() => zoom(1 / 1.3)} aria-label="Zoom out" title="Zoom out">−</button>
        <button type="button" onClick={reset} aria-label="Show the whole graph" title="Show the whole graph">⤢</button>
        <button type="button" onClick={save} class="wide" aria-label={`Download as SVG: ${label}`}>SVG</button>
      </div>
    </>
  );
}

/** Starts at the path and returns to it when it is out of sight; an expanded node stays where it was. */
function useViewport(layout: GraphLayout, size: Size, graph: Graph, followsPath: boolean, expanded: { current: string | null }) {
  const nodeIn = (id: string, of: GraphLayout) => of.nodes.find(({ node }) => node.id === id);
  const onPath = new Set(graph.nodes.flatMap((node) => (node.on_path ? [node.id] : [])));
  const path = followsPath ? layout.nodes.filter(({ node }) => onPath.has(node.id)) : [];
  const root = nodeIn(graph.root, layout) ?? { x: 0, y: 0, width: layout.width, height: 0 };
  const initial = initialViewport(layout, size, path, root);
  const previous = useRef({ layout, size });
  const update = (old: Viewport) => {
    const sameLayout = previous.current.layout === layout;
    const id = expanded.current;
    const [before, after] = id ? [nodeIn(id, previous.current.layout), nodeIn(id, layout)] : [];
    if (before && after && !sameLayout)
      return { ...old, x: old.x + (before.x - after.x) * old.scale, y: old.y + (before.y - after.y) * old.scale };
    const sameSize = previous.current.size.width === size.width && previous.current.size.height === size.height;
    return sameLayout && sameSize && isVisible(old, size, path) ? old : initial;
  };
  const dependencies = [layout, size.width, size.height, path.map(({ node }) => node.id).join()];
  const panZoom = usePanZoom({ initial, update, dependencies, all: fitAll(layout, size), frame: size });
  useEffect(() => {
    if (previous.current.layout !== layout) expanded.current = null;
    previous.current = { layout, size };
  }, [layout, size.width, size.height]);
  return panZoom;
}

function fileName(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60);
}
