/** The nodes and lines of a drawing. */
import type { DrawingProps } from "./Drawing.tsx";
import { MORE } from "./gathered.ts";
import type { Placed } from "./layout.ts";
import type { Light } from "./lit.ts";
import { rounded } from "./paths.ts";

type Props = DrawingProps & { layout: Placed };

export function Parts({ layout, graph, lit, marked, onOpen }: Props) {
  const lightOf = lit ? (id: string) => lit.get(id) ?? null : pathOf(graph);
  const onPath = new Set(graph.edges.flatMap((e) => (e.on_path ? [`${e.from} ${e.to} ${e.text}`] : [])));
  const hidden = new Map(graph.nodes.map((node) => [node.id, node.hidden_children]));
  return (
    <>
      {layout.edges.map(({ edge, points, label }, i) => {
        const bright = lit ? lightOf(edge.from) && lightOf(edge.to) : onPath.has(`${edge.from} ${edge.to} ${edge.text}`);
        return (
          <g key={`e${i}`} class={`edge ${bright ? "lit" : ""}`}>
            {edge.text && edge.text !== label?.text && <title>{edge.text}</title>}
            <path d={rounded(points)} />
            {label && (
              <>
                <rect x={label.x} y={label.y} width={label.width} height={16} rx={4} />
                <text x={label.x + label.width / 2} y={label.y + 12}>{label.text}</text>
              </>
            )}
          </g>
        );
      })}
      {layout.nodes.map((place) => (
        <Node
          key={place.node.id}
          place={place}
          hidden={hidden.get(place.node.id) ?? 0}
          light={lightOf(place.node.id)}
          plain={!lit}
          marked={place.node.kind === "literal" && (marked?.has(place.node.text) ?? false)}
          onOpen={onOpen}
        />
      ))}
    </>
  );
}

function pathOf(graph: DrawingProps["graph"]): (id: string) => Light {
  const path = new Set(graph.nodes.flatMap((node) => (node.on_path ? [node.id] : [])));
  return (id) => path.has(id);
}

interface NodeProps {
  place: Placed["nodes"][number];
  hidden: number;
  light: Light;
  /** A graph with a path: nodes off it are ordinary, not out. */
  plain: boolean;
  marked: boolean;
  onOpen: DrawingProps["onOpen"];
}

function Node({ place, hidden, light, plain, marked, onOpen }: NodeProps) {
  const { node, x, y, width, height, text } = place;
  const [asked = node.id] = node.id.split(MORE);
  const open = hidden > 0 && onOpen ? () => onOpen(asked) : undefined;
  const state = light ? "lit" : plain || light === null ? "" : "out";
  return (
    <g
      class={`node ${node.kind} ${state} ${open ? "more" : ""}`}
      transform={`translate(${x} ${y})`}
      data-node={node.id}
      {...(open && {
        role: "button",
        tabindex: 0,
        "aria-label": `${node.text}: show ${hidden} more below`,
        onClick: open,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          open();
        },
      })}
    >
      <title>{marked ? `${node.text} (necessary)` : node.text}</title>
      <rect width={width} height={height} rx={node.kind === "leaf" || node.kind === "decision" ? 8 : height / 2} />
      <text x={width / 2} y={height / 2 + 4.5}>{text}</text>
      {state === "out" && <path class="strike" d={`M10 ${height / 2}H${width - 10}`} />}
      {marked && <path class="mark" d="M5 -6l7 7-7 7-7-7z" />}
      {open && asked === node.id && (
        <>
          <circle cx={width / 2} cy={height + 9} r={9} />
          <text class="plus" x={width / 2} y={height + 13}>+</text>
        </>
      )}
    </g>
  );
}
