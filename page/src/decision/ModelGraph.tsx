/** The classifier's own graph with the way of the case lit; large ones open step by step. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Graph, Model } from "../api.ts";
import { useAsked } from "../asking.ts";
import { Drawing } from "../graph/Drawing.tsx";
import { folded, READABLE } from "../graph/folded.ts";
import { gathered, merged, MORE } from "../graph/gathered.ts";
import { ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { counted, intervalText } from "../values.ts";
import type { Case } from "./useCase.ts";

const WHOLE = 500;
const DRAWABLE = 1_500;
const MANY = 60;
/** On a phone fewer lines stand side by side. */
const NARROW = 600;

/** Whether a section has come near the screen: its graph is not asked for before. */
function useNear() {
  const element = useRef<HTMLElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && setNear(true), {
      rootMargin: "400px",
    });
    if (element.current) watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return { element, near };
}

export function ModelGraph({ about }: { about: Case }) {
  const { model, state, go } = usePage();
  const { element, near } = useNear();
  const drawable = model.method !== "search";
  const small = model.nodes !== null && model.nodes <= WHOLE; // comes whole, and is folded here
  const wanted = { what: "classifier", instance: about.now, expand: small ? [] : state.opened, all: !small && state.whole };
  const { answer, problem, again } = useAsked<Graph>("graph", wanted, near && drawable && about.explained.fresh);
  const part = useMemo(() => answer && (state.whole ? answer : parted(answer, state.opened)), [answer, state.whole, state.opened]);
  const fan = innerWidth < NARROW ? 2 : 4;
  const few = useMemo(
    () => part && (state.whole ? merged : (of: Graph) => gathered(of, state.opened, fan))(readable(part, model)),
    [part, state.whole, state.opened, fan],
  );
  const graph = useMemo(() => few && spread(few), [few]);
  const shown = few?.nodes.filter(({ id }) => !id.endsWith(MORE)).length ?? 0;
  const partial = part !== null && shown < part.total;
  return (
    <section id="graph" tabindex={-1} ref={element}>
      <div class="card">
        <h2>The classifier’s graph</h2>
        {model.constraint && <p>{`Declared: ${model.constraint}. Only cases where this is so are possible.`}</p>}
        {!drawable && <p>This model is too large to compile and is answered by search: there is no graph to draw.</p>}
        {problem && <ProblemNotice problem={problem} again={again} />}
        {graph && (
          <>
            <p class="quiet">
              {partial
                ? `${shown.toLocaleString("en")} of ${graph.total.toLocaleString("en")} nodes: the way of this case and what is next to it. A plus opens more.`
                : `${graph.total === 1 ? "Its one node" : `All ${counted(graph.total, "node")}`}. The way of this case is lit.`}
            </p>
            <div class="choice">
              {partial && graph.total <= DRAWABLE && (
                <button type="button" onClick={() => go({ whole: true })}>Show all nodes</button>
              )}
              {(state.opened.length > 0 || state.whole) && graph.total > READABLE && (
                <button type="button" onClick={() => go({ opened: [], whole: false })}>Only the way of the case</button>
              )}
            </div>
            <Way graph={graph} />
            <Drawing
              graph={graph}
              label="The classifier's graph"
              tallest={760}
              onOpen={(id) => go({ opened: [...new Set([...state.opened, id])] }, true)}
            />
          </>
        )}
        {model.notes.length > 0 && <p class="quiet">{model.notes.join(" · ")}</p>}
      </div>
    </section>
  );
}

/** The way of the case and what is next to it; a graph that the server has folded stays as it is. */
function parted(graph: Graph, opened: string[]): Graph {
  if (graph.nodes.length < graph.total) return graph;
  return folded(graph, graph.nodes.flatMap(({ id, on_path }) => (on_path ? [id] : [])), opened);
}

/** The same graph with texts at its arms as people read them. */
function readable(graph: Graph, model: Model): Graph {
  const numbers = new Set(model.features.flatMap(({ name, kind }) => (kind === "numeric" ? [name] : [])));
  const asked = new Set(graph.nodes.flatMap(({ id, feature }) => (feature && numbers.has(feature) ? [id] : [])));
  const plain = (text: string) => text.replace("<missing>", "missing").replace("<other>", "any other");
  const edges = graph.edges.map((edge) => ({ ...edge, text: asked.has(edge.from) ? intervalText(edge.text) : plain(edge.text) }));
  return { ...graph, edges };
}

/** In a graph of many nodes each use of a label stands by itself: lines from all over would hide the rest. */
function spread(graph: Graph): Graph {
  if (graph.nodes.length <= MANY) return graph;
  const leaves = new Map(graph.nodes.flatMap((node) => (node.kind === "leaf" ? [[node.id, node] as const] : [])));
  const copies = graph.edges.flatMap((edge) => {
    const leaf = leaves.get(edge.to);
    return leaf ? [{ ...leaf, id: `${edge.to}#${edge.from}`, on_path: edge.on_path }] : [];
  });
  const edges = graph.edges.map((edge) => (leaves.has(edge.to) ? { ...edge, to: `${edge.to}#${edge.from}` } : edge));
  return { ...graph, nodes: [...graph.nodes.filter((node) => !leaves.has(node.id)), ...copies], edges };
}

/** The lit way in words, for those who do not see the drawing. */
function Way({ graph }: { graph: Graph }) {
  const text = new Map(graph.nodes.map((node) => [node.id, node.text]));
  const steps: string[] = [];
  let at: string | undefined = graph.root;
  for (let i = 0; at !== undefined && i < graph.nodes.length; i++) {
    const taken = graph.edges.find((edge) => edge.from === at && edge.on_path);
    steps.push(`${text.get(at) ?? ""}${taken?.text ? ` ${taken.text}` : ""}`);
    at = taken?.to;
  }
  const gates = graph.nodes.some((node) => node.kind === "and" && node.on_path);
  if (gates || steps.length < 2) return null;
  return <p class="way"><span class="sr">The way of this case: </span>{steps.join(" → ")}</p>;
}
