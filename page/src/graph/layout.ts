/** Where the parts of a drawing go: measured here, laid out by elk in a worker. */
import ELK, { type ELK as Elk, type ElkNode } from "elkjs/lib/elk-api.js";
import worker from "elkjs/lib/elk-worker.min.js?url";
import type { Graph, GraphEdge, GraphNode } from "../api.ts";

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
const FONT = "600 13px system-ui, sans-serif";

let elk: Elk | null = null;
let pencil: CanvasRenderingContext2D | null = null;

/** Starts the worker, which takes a moment; called when there is nothing better to do. */
export function warm(): Elk {
  elk ??= new ELK({ workerUrl: worker, workerFactory: (url?: string) => new Worker(url!) });
  return elk;
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

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "POLYLINE",
  "elk.spacing.nodeNode": "22",
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeLabel": "3",
  "elk.layered.spacing.nodeNodeBetweenLayers": "34",
  "elk.layered.spacing.edgeNodeBetweenLayers": "12",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
  "elk.edgeLabels.inline": "true",
  "elk.padding": "[top=8,left=8,bottom=8,right=8]",
};

/** What two graphs share that need only be laid out once: lighting is not part of it. */
export function shapeOf(graph: Graph): string {
  const nodes = graph.nodes.map((node) => `${node.id} ${node.kind} ${node.text}`);
  return [...nodes, ...graph.edges.map((edge) => `${edge.from}>${edge.to} ${edge.text}`)].join("\n");
}

/** Coordinates for every part. */
export async function placed(graph: Graph): Promise<Placed> {
  const boxes = new Map(graph.nodes.map((node) => [node.id, { node, ...boxOf(node) }]));
  const wanted: ElkNode = {
    id: "drawing",
    layoutOptions: OPTIONS,
    children: [...boxes].map(([id, { width, height }]) => ({ id, width, height })),
    edges: graph.edges.map((edge, i) => {
      const text = clipped(edge.text, 24);
      const labels = text ? [{ id: `l${i}`, text, width: widthOf(text) * 0.9 + 8, height: 16 }] : [];
      return { id: `e${i}`, sources: [edge.from], targets: [edge.to], labels };
    }),
  };
  const laid = await warm().layout(wanted);
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    nodes: (laid.children ?? []).map((child) => ({ ...boxes.get(child.id)!, x: child.x ?? 0, y: child.y ?? 0 })),
    edges: (laid.edges ?? []).map((edge, i) => edgeOf(edge, graph.edges[i]!)),
  };
}

function edgeOf(laid: NonNullable<ElkNode["edges"]>[number], edge: GraphEdge): Placed["edges"][number] {
  const section = laid.sections?.[0];
  const label = laid.labels?.[0];
  return {
    edge,
    points: section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [],
    label: label?.text
      ? { text: label.text, x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0 }
      : null,
  };
}
