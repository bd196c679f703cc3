/** Coordinates of a graph's nodes, edges and labels: measured here, laid out by ELK in a worker. */
import type { ElkNode } from "elkjs/lib/elk-api.js";
import type { Edge, Graph, Node } from "../api/schemas.ts";
import type { LayoutWorker } from "./LayoutWorker.ts";
import { shortenedLabel } from "./limitFanout.ts";

export interface Point {
  x: number;
  y: number;
}
export interface NodeLayout {
  node: Node;
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
}
export interface EdgeLayout {
  edge: Edge;
  points: Point[];
  label: (Point & { text: string; width: number }) | null;
}
export interface GraphLayout {
  width: number;
  height: number;
  nodes: NodeLayout[];
  edges: EdgeLayout[];
}

const MAX_NODE_TEXT = 34;
const MAX_EDGE_TEXT = innerWidth < 600 ? 20 : 26;
const FONT = "600 13px system-ui, sans-serif";

let canvas: CanvasRenderingContext2D | null = null;

function textWidth(text: string): number {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return text.length * 8;
  canvas.font = FONT;
  return Math.ceil(canvas.measureText(text).width);
}

const labelWidth = (text: string) => textWidth(text) * 0.9 + 8;
const isGate = (node: Node) => node.kind === "and" || node.kind === "or";

function nodeSize(node: Node): { text: string; width: number; height: number } {
  const whole = isGate(node) ? node.kind : node.text;
  const text = whole.length > MAX_NODE_TEXT ? `${whole.slice(0, MAX_NODE_TEXT - 1)}…` : whole;
  return { text, width: Math.max(isGate(node) ? 44 : 40, textWidth(text) + 26), height: isGate(node) ? 28 : 34 };
}

const NODE_SPACING = 22;

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "POLYLINE",
  "elk.spacing.nodeNode": String(NODE_SPACING),
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeLabel": "3",
  "elk.layered.spacing.nodeNodeBetweenLayers": "24",
  "elk.layered.spacing.edgeNodeBetweenLayers": "10",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
  "elk.edgeLabels.inline": "true",
  "elk.padding": "[top=8,left=8,bottom=20,right=8]",
};

/** Straight edges on the path keep it narrow enough for a phone. */
const PATH_OPTIONS = { "elk.layered.priority.straightness": "10" };

/** Above this size a thorough layout takes seconds: fewer sweeps, and edge labels are placed here. */
const LARGE = 80;
const LARGE_OPTIONS = { ...OPTIONS, "elk.edgeRouting": "ORTHOGONAL", "elk.layered.thoroughness": "1" };

/** A key of everything that the layout depends on. Highlights are not part of it. */
export function layoutKey(graph: Graph): string {
  const nodes = graph.nodes.map((node) => `${node.id} ${node.kind} ${node.text}`);
  return [...nodes, ...graph.edges.map((edge) => `${edge.from}>${edge.to} ${edge.text}`)].join("\n");
}

export async function layoutGraph(graph: Graph, worker: LayoutWorker): Promise<GraphLayout> {
  const large = graph.nodes.length > LARGE;
  const sizes = new Map(graph.nodes.map((node) => [node.id, { node, ...nodeSize(node) }]));
  const result = await worker.layout({
    id: "drawing",
    layoutOptions: large ? LARGE_OPTIONS : OPTIONS,
    children: [...sizes].map(([id, { width, height }]) => ({ id, width, height })),
    edges: graph.edges.map((edge, i) => {
      const text = shortenedLabel(edge.text, MAX_EDGE_TEXT);
      const labels = text && !large ? [{ id: `l${i}`, text, width: labelWidth(text), height: 16 }] : [];
      return { id: `e${i}`, sources: [edge.from], targets: [edge.to], labels, ...(edge.on_path && { layoutOptions: PATH_OPTIONS }) };
    }),
  });
  const parents = new Map<string, number>();
  for (const { to } of graph.edges) parents.set(to, (parents.get(to) ?? 0) + 1);
  const room = ({ to, on_path }: Edge) => (on_path ? Infinity : parents.get(to) === 1 ? sizes.get(to)!.width + NODE_SPACING : 0);
  return {
    width: result.width ?? 0,
    height: result.height ?? 0,
    nodes: (result.children ?? []).map((child) => ({ ...sizes.get(child.id)!, x: child.x ?? 0, y: child.y ?? 0 })),
    edges: (result.edges ?? []).map((edge, i) => edgeLayout(edge, graph.edges[i]!, room(graph.edges[i]!))),
  };
}

function edgeLayout(elk: NonNullable<ElkNode["edges"]>[number], edge: Edge, room: number): EdgeLayout {
  const section = elk.sections?.[0];
  const label = elk.labels?.[0];
  const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
  if (label?.text) return { edge, points, label: { text: label.text, x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0 } };
  return { edge, points, label: edge.text && points.length ? labelAtEnd(edge.text, points, room) : null };
}

/** A label just above the end of an edge, no wider than its room so that it does not cover others. */
function labelAtEnd(whole: string, points: Point[], room: number): EdgeLayout["label"] {
  const end = points.at(-1)!;
  const text = [MAX_EDGE_TEXT, 16, 12, 9].map((length) => shortenedLabel(whole, length)).find((each) => labelWidth(each) <= room);
  if (!text) return null;
  const width = labelWidth(text);
  return { text, width, x: end.x - width / 2, y: end.y - 20 };
}
