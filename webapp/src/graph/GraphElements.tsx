/** The nodes and edges of a drawing as SVG elements. */
import type { Graph } from "../api/schemas.ts";
import type { Truth } from "./evaluateReason.ts";
import type { GraphViewProps } from "./GraphView.tsx";
import type { GraphLayout, NodeLayout } from "./layout.ts";
import { REST } from "./limitFanout.ts";
import { roundedPath } from "./roundedPath.ts";

type Props = GraphViewProps & { layout: GraphLayout };

export function GraphElements({ layout, graph, truths, necessary, onExpand }: Props) {
  const truthOf = truths ? (id: string) => truths.get(id) ?? null : pathOf(graph);
  const onPath = new Set(graph.edges.flatMap((e) => (e.on_path ? [`${e.from} ${e.to} ${e.text}`] : [])));
  const hidden = new Map(graph.nodes.map((node) => [node.id, node.hidden_children]));
  return (
    <>
      {layout.edges.map(({ edge, points, label }, i) => {
        const lit = truths ? truthOf(edge.from) && truthOf(edge.to) : onPath.has(`${edge.from} ${edge.to} ${edge.text}`);
        return (
          <g key={`e${i}`} class={`edge ${lit ? "lit" : ""}`}>
            {edge.text && edge.text !== label?.text && <title>{edge.text}</title>}
            <path d={roundedPath(points)} />
            {label && (
              <>
                <rect x={label.x} y={label.y} width={label.width} height={16} rx={4} />
                <text x={label.x + label.width / 2} y={label.y + 12}>{label.text}</text>
              </>
            )}
          </g>
        );
      })}
      {layout.nodes.map((each) => (
        <NodeElement
          key={each.node.id}
          layout={each}
          hidden={hidden.get(each.node.id) ?? 0}
          truth={truthOf(each.node.id)}
          isReason={truths !== undefined}
          necessary={each.node.kind === "literal" && (necessary?.has(each.node.text) ?? false)}
          onExpand={onExpand}
        />
      ))}
    </>
  );
}

function pathOf(graph: Graph): (id: string) => Truth {
  const path = new Set(graph.nodes.flatMap((node) => (node.on_path ? [node.id] : [])));
  return (id) => path.has(id);
}

interface NodeProps {
  layout: NodeLayout;
  hidden: number;
  truth: Truth;
  /** Only false nodes of a reason are struck out; nodes off a path are ordinary. */
  isReason: boolean;
  necessary: boolean;
  onExpand: GraphViewProps["onExpand"];
}

function NodeElement({ layout, hidden, truth, isReason, necessary, onExpand }: NodeProps) {
  const { node, x, y, width, height, text } = layout;
  const [expandable = node.id] = node.id.split(REST);
  const expand = hidden > 0 && onExpand ? () => onExpand(expandable) : undefined;
  const state = truth ? "lit" : isReason && truth === false ? "out" : "";
  return (
    <g
      class={`node ${node.kind} ${state} ${expand ? "more" : ""}`}
      transform={`translate(${x} ${y})`}
      data-node={node.id}
      {...(expand && {
        role: "button",
        tabindex: 0,
        "aria-label": `${node.text}: show ${hidden} more below`,
        onClick: expand,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          expand();
        },
      })}
    >
      <title>{necessary ? `${node.text} (necessary)` : node.text}</title>
      <rect width={width} height={height} rx={node.kind === "leaf" || node.kind === "decision" ? 8 : height / 2} />
      <text x={width / 2} y={height / 2 + 4.5}>{text}</text>
      {state === "out" && <path class="strike" d={`M10 ${height / 2}H${width - 10}`} />}
      {necessary && <path class="mark" d="M5 -6l7 7-7 7-7-7z" />}
      {expand && expandable === node.id && (
        <>
          <circle cx={width / 2} cy={height + 9} r={9} />
          <text class="plus" x={width / 2} y={height + 13}>+</text>
        </>
      )}
    </g>
  );
}
