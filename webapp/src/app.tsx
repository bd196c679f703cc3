/** The whole page: the model is asked for once, the state is the URL's. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Model } from "./api.ts";
import { pause, useAsked } from "./asking.ts";
import { AuditView } from "./audit/AuditView.tsx";
import { DecisionView } from "./decision/DecisionView.tsx";
import { Notice, ProblemNotice } from "./Notice.tsx";
import { type Page, PageContext } from "./page.ts";
import { BadLink, FIRST, hashOf, type State, stateOf } from "./state.ts";
import { Top } from "./Top.tsx";

interface Shown {
  state: State;
  wait: number;
  badLink: string;
}

function shownBy(hash: string, model: Model): Shown {
  try {
    return { state: stateOf(hash, model.features), wait: 0, badLink: "" };
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    return { state: FIRST, wait: 0, badLink: error.message };
  }
}

export function App() {
  const { answer: model, problem, again } = useAsked<Model>("model", undefined);
  if (problem)
    return (
      <main class="alone">
        <h1>No answer</h1>
        <ProblemNotice problem={problem} again={again} />
      </main>
    );
  return model ? <Loaded model={model} /> : <p class="opening">Asking the classifier…</p>;
}

function Loaded({ model }: { model: Model }) {
  const [shown, show] = useState(() => shownBy(location.hash, model));
  useEffect(() => {
    document.title = `${model.name} · reasons`;
    const follow = () => show(shownBy(location.hash, model));
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, [model]);
  const go = useCallback<Page["go"]>(
    (change, quiet) => {
      performance.mark("changed");
      show((old) => {
        const moved = "start" in change || "change" in change;
        const state = { ...old.state, ...(moved && { parts: [] }), ...change };
        const hash = hashOf(state, model.features);
        if (hash !== location.hash) history[quiet ? "replaceState" : "pushState"](null, "", hash);
        return { state, wait: pause(performance.now()), badLink: quiet && "start" in change ? old.badLink : "" };
      });
    },
    [model],
  );
  const page = useMemo(() => ({ model, go, state: shown.state, wait: shown.wait }), [model, go, shown]);
  return (
    <PageContext.Provider value={page}>
      <Top />
      {shown.badLink && (
        <Notice title="This link does not fit the classifier">
          {`In the link, ${shown.badLink}. The page starts from another case instead.`}
        </Notice>
      )}
      {shown.state.view === "audit" ? <AuditView /> : <DecisionView />}
    </PageContext.Provider>
  );
}
