/** Where the parts of a drawing go: measured here, laid out by elk in a worker. */
import ELK, { type ELK as Elk, type ElkNode } from "elkjs/lib/elk-api.js";
import worker from "elkjs/lib/elk-worker.min.js?url";
import type { Graph, GraphEdge, GraphNode } from "../api.ts";
import { shortened } from "./gathered.ts";

export interface Point {
  x: number;
  y: number;
}
export interface Placed {
  width: number;
  height: number;
  nodes: { node: GraphNode; x: number; y: number; width: number; height: number; text: string }[];
  edges: { edge: GraphEdge; points: Point[]; label: (Point & { text: string; width: number }) | null }[];
}

const LONGEST = 34;
const LONGEST_ARM = innerWidth < 600 ? 20 : 26;
const FONT = "600 13px system-ui, sans-serif";

let pencil: CanvasRenderingContext2D | null = null;

/** The layouts of one drawing, in a worker of its own: a long one is given up when another is wanted. */
export class Desk {
  private elk: Elk | null = null;
  private busy = false;

  async laid(wanted: ElkNode): Promise<ElkNode> {
    if (this.busy) this.close();
    this.elk ??= new ELK({ workerUrl: worker, workerFactory: (url?: string) => new Worker(url!) });
    this.busy = true;
    const done = await this.elk.layout(wanted);
    this.busy = false;
    return done;
  }

  close(): void {
    this.elk?.terminateWorker();
    this.elk = null;
    this.busy = false;
  }
}

export function clipped(text: string, longest = LONGEST): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function widthOf(text: string): number {
  pencil ??= document.createElement("canvas").getContext("2d");
  if (!pencil) return text.length * 8;
  pencil.font = FONT;
  return Math.ceil(pencil.measureText(text).width);
}

const isGate = (node: GraphNode) => node.kind === "and" || node.kind === "or";

function boxOf(node: GraphNode): { text: string; width: number; height: number } {
  const text = clipped(isGate(node) ? node.kind : node.text);
  return { text, width: Math.max(isGate(node) ? 44 : 40, widthOf(text) + 26), height: isGate(node) ? 28 : 34 };
}

const BESIDE = 22;

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "POLYLINE",
  "elk.spacing.nodeNode": String(BESIDE),
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeLabel": "3",
  "elk.layered.spacing.nodeNodeBetweenLayers": "24",
  "elk.layered.spacing.edgeNodeBetweenLayers": "10",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
  "elk.edgeLabels.inline": "true",
  "elk.padding": "[top=8,left=8,bottom=20,right=8]",
};

/** Of the way: a line that goes down, rather than aside, fits a narrow screen. */
const STRAIGHT = { "elk.layered.priority.straightness": "10" };

/** From this size on beauty costs seconds: fewer sweeps, and texts of edges are put at their middle. */
const LARGE = 80;
const LARGE_OPTIONS = { ...OPTIONS, "elk.edgeRouting": "ORTHOGONAL", "elk.layered.thoroughness": "1" };

/** What two graphs share that need only be laid out once: lighting is not part of it. */
export function shapeOf(graph: Graph): string {
  const nodes = graph.nodes.map((node) => `${node.id} ${node.kind} ${node.text}`);
  return [...nodes, ...graph.edges.map((edge) => `${edge.from}>${edge.to} ${edge.text}`)].join("\n");
}

/** Coordinates for every part. */
export async function placed(graph: Graph, desk: Desk): Promise<Placed> {
  const large = graph.nodes.length > LARGE;
  const boxes = new Map(graph.nodes.map((node) => [node.id, { node, ...boxOf(node) }]));
  const wanted: ElkNode = {
    id: "drawing",
    layoutOptions: large ? LARGE_OPTIONS : OPTIONS,
    children: [...boxes].map(([id, { width, height }]) => ({ id, width, height })),
    edges: graph.edges.map((edge, i) => {
      const text = shortened(edge.text, LONGEST_ARM);
      const labels = text && !large ? [{ id: `l${i}`, text, width: widthOf(text) * 0.9 + 8, height: 16 }] : [];
      return { id: `e${i}`, sources: [edge.from], targets: [edge.to], labels, ...(edge.on_path && { layoutOptions: STRAIGHT }) };
    }),
  };
  const laid = await desk.laid(wanted);
  const uses = new Map<string, number>();
  for (const { to } of graph.edges) uses.set(to, (uses.get(to) ?? 0) + 1);
  const room = ({ to, on_path }: GraphEdge) => (on_path ? Infinity : uses.get(to) === 1 ? boxes.get(to)!.width + BESIDE : 0);
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    nodes: (laid.children ?? []).map((child) => ({ ...boxes.get(child.id)!, x: child.x ?? 0, y: child.y ?? 0 })),
    edges: (laid.edges ?? []).map((edge, i) => edgeOf(edge, graph.edges[i]!, room(graph.edges[i]!))),
  };
}

function edgeOf(laid: NonNullable<ElkNode["edges"]>[number], edge: GraphEdge, room: number): Placed["edges"][number] {
  const section = laid.sections?.[0];
  const label = laid.labels?.[0];
  const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
  if (label?.text) return { edge, points, label: { text: label.text, x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0 } };
  return { edge, points, label: edge.text && points.length ? atEnd(edge.text, points, room) : null };
}

/** A text just above the end of a line, no wider than its room: texts of other lines stand beside it. */
function atEnd(whole: string, points: Point[], room: number): Placed["edges"][number]["label"] {
  const end = points.at(-1)!;
  const widthIn = (text: string) => widthOf(text) * 0.9 + 8;
  const text = [LONGEST_ARM, 16, 12, 9].map((longest) => shortened(whole, longest)).find((each) => widthIn(each) <= room);
  if (!text) return null;
  const width = widthIn(text);
  return { text, width, x: end.x - width / 2, y: end.y - 20 };
}
