/** One case: its values on the left, everything about its decision on the right. */
import { useEffect, useRef } from "preact/hooks";
import type { Instance } from "../api.ts";
import { Notice, ProblemNotice } from "../Notice.tsx";
import { usePage } from "../page.ts";
import { Bias } from "./Bias.tsx";
import { CasePanel } from "./CasePanel.tsx";
import { ModelGraph } from "./ModelGraph.tsx";
import { Reasons } from "./Reasons.tsx";
import { RowPicker } from "./RowPicker.tsx";
import { useCase, useStart } from "./useCase.ts";
import { Verdict } from "./Verdict.tsx";
import { WhatIf } from "./WhatIf.tsx";
import { Why } from "./Why.tsx";

export function DecisionView() {
  const { model, state, go } = usePage();
  const picked = useStart();
  const last = useRef(state.start);
  if (state.start) last.current = state.start;
  const unusable = picked.fresh ? picked.answer?.problem : null;
  // The case before stays, and the focus with it, while the next one is on its way.
  if (state.start || (last.current && !unusable && !picked.problem)) return <OneCase start={state.start ?? last.current!} />;
  return (
    <main id="main" tabindex={-1} class="alone">
      {(picked.problem || unusable) && <h1>No decision</h1>}
      {picked.problem && <ProblemNotice problem={picked.problem} again={picked.again} />}
      {unusable && <Notice title={`Row ${state.row} cannot be decided`}>{unusable}</Notice>}
      {picked.problem || unusable ? (
        <div class="elsewhere">
          {model.rows !== null && <RowPicker rows={model.rows} />}
          <button type="button" onClick={() => go({ start: model.first.instance, change: {}, row: model.first.row })}>Another case</button>
        </div>
      ) : (
        <p>Choosing a case…</p>
      )}
    </main>
  );
}

/** What the server could not answer; that a searched model has no circuit is said where it is drawn. */
function Unanswered({ notes }: { notes: string[] }) {
  const told = notes.filter((note) => !note.startsWith("the complete reason:"));
  if (told.length === 0) return null;
  return <Notice title="Not everything could be answered">{told.map((note) => <p key={note}>{note}</p>)}</Notice>;
}

const MOVES = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/** Brings a section into sight and keeps it there until the reader moves: drawings above it come later, and push. */
function useSection(id: string, empty: boolean): void {
  useEffect(() => {
    const section = id && document.getElementById(id);
    if (!section) return;
    section.scrollIntoView();
    const watch = new ResizeObserver(() => section.scrollIntoView({ behavior: "instant" }));
    if (section.parentElement) for (const each of section.parentElement.children) watch.observe(each);
    const stop = () => watch.disconnect();
    for (const move of MOVES) addEventListener(move, stop);
    return () => {
      stop();
      for (const move of MOVES) removeEventListener(move, stop);
    };
  }, [id, empty]);
}

const SECTIONS = [["why", "Why"], ["what-if", "What if"], ["bias", "Bias"], ["graph", "Model"]] as const;

function OneCase({ start }: { start: Instance }) {
  const { state, go } = usePage();
  const about = useCase(start);
  const { decided, explained } = about;
  useSection(state.section, explained.answer === null);
  const impossible = decided.problem?.status === 400;
  return (
    <div class="case">
      <CasePanel about={about} />
      <main id="main" tabindex={-1} aria-busy={!state.start || (!explained.fresh && !explained.problem && !decided.problem)}>
        <Verdict about={about} />
        <nav class="sections" aria-label="Questions about this decision" hidden={impossible}>
          {SECTIONS.map(([id, text]) => (
            <button
              type="button"
              key={id}
              aria-current={state.section === id ? "true" : undefined}
              onClick={() => {
                go({ section: id }, true);
                document.getElementById(id)?.scrollIntoView();
                document.getElementById(id)?.focus({ preventScroll: true });
              }}
            >
              {text}
            </button>
          ))}
          <span class="now" aria-hidden="true">{decided.problem ? "" : decided.answer?.label_text}</span>
        </nav>
        <div class="answers" hidden={impossible}>
          {explained.problem && decided.fresh && <ProblemNotice problem={explained.problem} again={explained.again} />}
          <Unanswered notes={explained.answer?.notes ?? []} />
          {explained.answer && (
            <>
              <section id="why" tabindex={-1} class="pair">
                <Why about={about} explanation={explained.answer} />
                <Reasons explanation={explained.answer} />
              </section>
              <WhatIf about={about} explanation={explained.answer} />
            </>
          )}
          <Bias about={about} />
          <ModelGraph about={about} />
        </div>
      </main>
    </div>
  );
}
