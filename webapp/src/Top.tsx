/** The bar at the top: what is being looked at, and the two views of it. */
import { usePage } from "./page.ts";
import { counted } from "./values.ts";
import { hashOf, type State } from "./state.ts";

export function Top() {
  const { model, state, go } = usePage();
  const link = (view: State["view"], text: string) => (
    <a
      href={hashOf({ ...state, view }, model.features)}
      aria-current={state.view === view ? "page" : undefined}
      onClick={(event) => {
        event.preventDefault();
        go({ view });
      }}
    >
      {text}
    </a>
  );
  return (
    <header class="top">
      <a
        class="skip"
        href={hashOf(state, model.features)}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        {`Skip to the ${state.view}`}
      </a>
      <span class="brand">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <path d="M16 7 9 16l5 9M16 7l7 9" />
          <circle cx="16" cy="7" r="4" />
          <circle cx="8.5" cy="16" r="4" />
          <circle cx="14" cy="25" r="4" />
          <circle cx="23.5" cy="16" r="3.2" class="off" />
        </svg>
        reasons
      </span>
      <span class="model" title={model.name}>
        <b>{model.name}</b>
        <small>{about(model)}</small>
      </span>
      <nav aria-label="Views">
        {link("decision", "Decision")}
        {link("audit", "Audit")}
        <a href="api/docs" target="_blank" rel="noreferrer">
          API
        </a>
      </nav>
    </header>
  );
}

function about({ features, labels, nodes, method }: ReturnType<typeof usePage>["model"]): string {
  const size = nodes === null ? [] : [counted(nodes, "node")];
  const how = method === "search" ? ["answered by search"] : [];
  return [counted(features.length, "feature"), counted(labels.length, "label"), ...size, ...how].join(" · ");
}
