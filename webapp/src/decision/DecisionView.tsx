/** One decision: the instance on the left, the decision and its explanation on the right. */
import { useEffect, useRef } from "preact/hooks";
import type { Explanation, Instance } from "../api/schemas.ts";
import { useApp } from "../AppContext.ts";
import { ErrorNotice, Notice } from "../components/Notice.tsx";
import { BiasSection } from "./BiasSection.tsx";
import { CompleteReason } from "./CompleteReason.tsx";
import { CounterfactualSection } from "./CounterfactualSection.tsx";
import { DecisionSummary } from "./DecisionSummary.tsx";
import { InstancePanel } from "./InstancePanel.tsx";
import { ModelGraph } from "./ModelGraph.tsx";
import { RowPicker } from "./RowPicker.tsx";
import { SufficientReasons } from "./SufficientReasons.tsx";
import { useDecision, useStartInstance } from "./useDecision.ts";

export function DecisionView() {
  const { model, state, navigate } = useApp();
  const row = useStartInstance();
  const last = useRef(state.startInstance);
  if (state.startInstance) last.current = state.startInstance;
  const problem = row.fresh ? row.data?.problem : null;
  const failed = row.error || problem;
  // The previous instance stays, and keeps the focus, until the next one is loaded.
  const startInstance = state.startInstance ?? (failed ? null : last.current);
  if (startInstance) return <Decision startInstance={startInstance} />;
  const showDefault = () => navigate({ startInstance: model.first.instance, changes: {}, row: model.first.row });
  return (
    <main id="main" tabindex={-1} class="centered">
      {failed && <h1>No decision</h1>}
      {row.error && <ErrorNotice error={row.error} retry={row.retry} />}
      {problem && <Notice title={`Row ${state.row} cannot be decided`}>{problem}</Notice>}
      {failed ? (
        <div class="elsewhere">
          {model.rows !== null && <RowPicker rows={model.rows} />}
          <button type="button" onClick={showDefault}>Show another case</button>
        </div>
      ) : (
        <p>Loading…</p>
      )}
    </main>
  );
}

/** What the server could not compute. CompleteReason itself says why a searched model has none. */
function MissingAnswers({ explanation: { notes, exceeded } }: { explanation: Explanation }) {
  const listed = notes.filter(({ part }) => part !== "complete_reason" || exceeded.includes(part));
  if (listed.length === 0) return null;
  return <Notice title="Some answers are missing">{listed.map(({ text }) => <p key={text}>{text}</p>)}</Notice>;
}

const USER_EVENTS = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/** Scrolls to a section, and keeps it in place while drawings above it load, until the user scrolls. */
function useSection(id: string, empty: boolean): void {
  useEffect(() => {
    const section = id && document.getElementById(id);
    if (!section) return;
    section.scrollIntoView();
    const observer = new ResizeObserver(() => section.scrollIntoView({ behavior: "instant" }));
    if (section.parentElement) for (const each of section.parentElement.children) observer.observe(each);
    const stop = () => observer.disconnect();
    for (const event of USER_EVENTS) addEventListener(event, stop);
    return () => {
      stop();
      for (const event of USER_EVENTS) removeEventListener(event, stop);
    };
  }, [id, empty]);
}

const SECTIONS = [["why", "Why"], ["what-if", "What if"], ["bias", "Bias"], ["graph", "Model"]] as const;

function Decision({ startInstance }: { startInstance: Instance }) {
  const { state, navigate } = useApp();
  const current = useDecision(startInstance);
  const { decision, explanation } = current;
  useSection(state.section, explanation.data === null);
  const impossible = decision.error?.status === 400;
  const busy = !state.startInstance || (!explanation.fresh && !explanation.error && !decision.error);
  return (
    <div class="case">
      <InstancePanel current={current} />
      <main id="main" tabindex={-1} aria-busy={busy}>
        <DecisionSummary current={current} />
        <nav class="sections" aria-label="Sections" hidden={impossible}>
          {SECTIONS.map(([id, text]) => (
            <button
              type="button"
              key={id}
              aria-current={state.section === id ? "true" : undefined}
              onClick={() => {
                navigate({ section: id }, true);
                document.getElementById(id)?.scrollIntoView();
                document.getElementById(id)?.focus({ preventScroll: true });
              }}
            >
              {text}
            </button>
          ))}
          <span class="now" aria-hidden="true">{decision.error ? "" : decision.data?.label_text}</span>
        </nav>
        <div class="answers" hidden={impossible}>
          {explanation.error && decision.fresh && <ErrorNotice error={explanation.error} retry={explanation.retry} />}
          {explanation.data && <MissingAnswers explanation={explanation.data} />}
          {explanation.data && (
            <>
              <section id="why" tabindex={-1} class="pair">
                <CompleteReason current={current} explanation={explanation.data} />
                <SufficientReasons explanation={explanation.data} />
              </section>
              <CounterfactualSection current={current} explanation={explanation.data} />
            </>
          )}
          <BiasSection current={current} />
          <ModelGraph current={current} />
        </div>
      </main>
    </div>
  );
}
