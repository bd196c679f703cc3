/** The classifier's graph with the path of the instance highlighted; large graphs are expanded step by step. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { post } from "../api/client.ts";
import type { Graph, Model } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { ErrorNotice } from "../components/Notice.tsx";
import { groupedNumber, intervalText, plural } from "../format.ts";
import { collapse, READABLE_NODES } from "../graph/collapse.ts";
import { GraphView } from "../graph/GraphView.tsx";
import { limitFanout, mergeParallelEdges, REST } from "../graph/limitFanout.ts";
import { useQuery } from "../useQuery.ts";
import type { CurrentDecision } from "./useDecision.ts";

/** The server sends graphs up to this size whole; they are collapsed here. */
const SENT_WHOLE = 500;
const MAX_DRAWN = 1_500;
const MANY_NODES = 60;
/** In pixels; on narrower screens fewer children fit side by side. */
const NARROW = 600;

/** Whether a section is close to the screen: its graph is not requested before. */
function useNear() {
  const element = useRef<HTMLElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const onIntersect = (entries: IntersectionObserverEntry[]) => entries.some((each) => each.isIntersecting) && setNear(true);
    const observer = new IntersectionObserver(onIntersect, { rootMargin: "400px" });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, near };
}

export function ModelGraph({ current }: { current: CurrentDecision }) {
  const { model } = useApp();
  const { element, near } = useNear();
  const drawable = model.method !== "search";
  return (
    <section id="graph" tabindex={-1} ref={element}>
      <div class="card">
        <h2>Classifier graph</h2>
        {model.constraint && <p>{`Constraint: ${model.constraint}. Cases that violate it are impossible.`}</p>}
        {drawable ? (
          <Drawing current={current} near={near} />
        ) : (
          <p>This model is too large to compile and is explained by search: there is no graph to draw.</p>
        )}
        {model.notes.length > 0 && <p class="quiet">{model.notes.join(" · ")}</p>}
      </div>
    </section>
  );
}

function Drawing({ current, near }: { current: CurrentDecision; near: boolean }) {
  const { model, state, navigate } = useApp();
  const { expandedNodes, showAllNodes } = state;
  const sentWhole = model.nodes !== null && model.nodes <= SENT_WHOLE;
  const request = post("graph", {
    what: "classifier",
    instance: current.instance,
    expand: sentWhole ? [] : expandedNodes,
    all: !sentWhole && showAllNodes,
  });
  const { data, error, retry } = useQuery(request, { enabled: near && current.explanation.fresh });
  const fanout = innerWidth < NARROW ? 2 : 4;
  const reduced = useMemo(() => {
    if (!data) return null;
    const labelled = withReadableLabels(showAllNodes ? data : aroundPath(data, expandedNodes), model);
    return showAllNodes ? mergeParallelEdges(labelled) : limitFanout(labelled, expandedNodes, fanout);
  }, [data, showAllNodes, expandedNodes, fanout]);
  const graph = useMemo(() => reduced && duplicateLeaves(reduced), [reduced]);
  const notice = error && <ErrorNotice error={error} retry={retry} />;
  if (!reduced || !graph) return notice;
  const shown = reduced.nodes.filter(({ id }) => !id.endsWith(REST)).length;
  const partial = shown < graph.total;
  return (
    <>
      {notice}
      <p class="quiet">{partial ? partText(shown, graph.total) : wholeText(graph.total)}</p>
      <div class="choice">
        {partial && graph.total <= MAX_DRAWN && (
          <button type="button" onClick={() => navigate({ showAllNodes: true })}>Show all nodes</button>
        )}
        {(expandedNodes.length > 0 || showAllNodes) && graph.total > READABLE_NODES && (
          <button type="button" onClick={() => navigate({ expandedNodes: [], showAllNodes: false })}>Show only the path</button>
        )}
      </div>
      <PathText graph={graph} />
      <GraphView
        graph={graph}
        label="Classifier graph"
        maxHeight={760}
        onExpand={(id) => navigate({ expandedNodes: [...new Set([...expandedNodes, id])] }, true)}
      />
    </>
  );
}

const partText = (shown: number, total: number) =>
  `${groupedNumber(shown)} of ${groupedNumber(total)} nodes: the path of this case and its neighbours. Click + to show more.`;

const wholeText = (total: number) =>
  total === 1 ? "The graph is a single node." : `All ${plural(total, "node")}. The path of this case is highlighted.`;

/** The path of the instance and its neighbours; a graph that the server has collapsed stays as it is. */
function aroundPath(graph: Graph, expanded: string[]): Graph {
  if (graph.nodes.length < graph.total) return graph;
  return collapse(graph, graph.nodes.flatMap(({ id, on_path }) => (on_path ? [id] : [])), expanded);
}

/** The same graph with readable edge labels, such as `> 25` for `(25, inf)`. */
function withReadableLabels(graph: Graph, model: Model): Graph {
  const numeric = new Set(model.features.flatMap(({ name, kind }) => (kind === "numeric" ? [name] : [])));
  const numericNodes = new Set(graph.nodes.flatMap(({ id, feature }) => (feature && numeric.has(feature) ? [id] : [])));
  const special = (text: string) => text.replace("<missing>", "missing").replace("<other>", "any other");
  const edges = graph.edges.map((edge) => ({ ...edge, text: numericNodes.has(edge.from) ? intervalText(edge.text) : special(edge.text) }));
  return { ...graph, edges };
}

/** In a graph of many nodes each edge gets its own copy of a leaf: shared leaves attract edges from everywhere. */
function duplicateLeaves(graph: Graph): Graph {
  if (graph.nodes.length <= MANY_NODES) return graph;
  const leaves = new Map(graph.nodes.flatMap((node) => (node.kind === "leaf" ? [[node.id, node] as const] : [])));
  const copies = graph.edges.flatMap((edge) => {
    const leaf = leaves.get(edge.to);
    return leaf ? [{ ...leaf, id: `${edge.to}#${edge.from}`, on_path: edge.on_path }] : [];
  });
  const edges = graph.edges.map((edge) => (leaves.has(edge.to) ? { ...edge, to: `${edge.to}#${edge.from}` } : edge));
  return { ...graph, nodes: [...graph.nodes.filter((node) => !leaves.has(node.id)), ...copies], edges };
}

/** The highlighted path as text, also for screen readers. */
function PathText({ graph }: { graph: Graph }) {
  const text = new Map(graph.nodes.map((node) => [node.id, node.text]));
  const steps: string[] = [];
  let id: string | undefined = graph.root;
  for (let i = 0; id !== undefined && i < graph.nodes.length; i++) {
    const taken = graph.edges.find((edge) => edge.from === id && edge.on_path);
    steps.push(`${text.get(id) ?? ""}${taken?.text ? ` ${taken.text}` : ""}`);
    id = taken?.to;
  }
  const branches = graph.nodes.some((node) => node.kind === "and" && node.on_path);
  if (branches || steps.length < 2) return null;
  return <p class="path-text"><span class="sr">The path of this case: </span>{steps.join(" → ")}</p>;
}
