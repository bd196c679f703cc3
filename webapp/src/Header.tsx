/** The bar at the top: the name of the model, and links to the views. */
import type { Model } from "./api/schemas.ts";
import { useApp } from "./AppContext.ts";
import { plural } from "./format.ts";
import { type State, toHash } from "./urlState.ts";

export function Header() {
  const { model, state, navigate } = useApp();
  const link = (view: State["view"], text: string) => (
    <a
      href={toHash({ ...state, view }, model.features)}
      aria-current={state.view === view ? "page" : undefined}
      onClick={(event) => {
        event.preventDefault();
        navigate({ view });
      }}
    >
      {text}
    </a>
  );
  return (
    <header class="top">
      <a
        class="skip"
        href={toHash(state, model.features)}
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
        <small>{sizeText(model)}</small>
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

function sizeText({ features, labels, nodes, method }: Model): string {
  const size = nodes === null ? [] : [plural(nodes, "node")];
  const searched = method === "search" ? ["answered by search"] : [];
  return [plural(features.length, "feature"), plural(labels.length, "label"), ...size, ...searched].join(" · ");
}
