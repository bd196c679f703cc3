/** The whole app: it loads the model once; the URL holds the state. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { get } from "./api/client.ts";
import type { Model } from "./api/schemas.ts";
import { AppContext, type AppContextValue } from "./AppContext.ts";
import { AuditView } from "./audit/AuditView.tsx";
import { ErrorNotice, Notice } from "./components/Notice.tsx";
import { DecisionView } from "./decision/DecisionView.tsx";
import { Header } from "./Header.tsx";
import { fromHash, INITIAL_STATE, InvalidLink, type State, toHash } from "./urlState.ts";
import { debounceAfter, useQuery } from "./useQuery.ts";

interface Location {
  state: State;
  debounce: number;
  /** What is wrong with the link that was followed; "" if nothing. */
  linkError: string;
}

function locationAt(hash: string, model: Model): Location {
  try {
    return { state: fromHash(hash, model.features), debounce: 0, linkError: "" };
  } catch (error) {
    if (!(error instanceof InvalidLink)) throw error;
    return { state: INITIAL_STATE, debounce: 0, linkError: error.message };
  }
}

export function App() {
  const { data: model, error, retry } = useQuery(get("model"));
  if (error)
    return (
      <main class="centered">
        <h1>The model could not be loaded</h1>
        <ErrorNotice error={error} retry={retry} />
      </main>
    );
  return model ? <LoadedApp model={model} /> : <p class="loading">Loading the model…</p>;
}

function LoadedApp({ model }: { model: Model }) {
  const [location, setLocation] = useState(() => locationAt(globalThis.location.hash, model));
  useEffect(() => {
    document.title = `${model.name} · reasons`;
    const follow = () => setLocation(locationAt(globalThis.location.hash, model));
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, [model]);
  const navigate = useCallback<AppContextValue["navigate"]>(
    (change, replace) => {
      performance.mark("changed");
      setLocation((old) => {
        const moved = "startInstance" in change || "changes" in change;
        const state = { ...old.state, ...(moved && { expandedReasonNodes: [] }), ...change };
        const hash = toHash(state, model.features);
        if (hash !== globalThis.location.hash) history[replace ? "replaceState" : "pushState"](null, "", hash);
        const linkError = replace && "startInstance" in change ? old.linkError : "";
        return { state, debounce: debounceAfter(performance.now()), linkError };
      });
    },
    [model],
  );
  const { state, debounce, linkError } = location;
  const value = useMemo(() => ({ model, navigate, state, debounce }), [model, navigate, location]);
  return (
    <AppContext.Provider value={value}>
      <Header />
      {linkError && (
        <Notice title="This link does not match the classifier">
          {`${linkError} The page shows another case instead.`}
        </Notice>
      )}
      {state.view === "audit" ? <AuditView /> : <DecisionView />}
    </AppContext.Provider>
  );
}
