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
    <main class="alone">
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

const SECTIONS = [["why", "Why"], ["what-if", "What if"], ["bias", "Bias"], ["graph", "Model"]] as const;

function OneCase({ start }: { start: Instance }) {
  const { state, go } = usePage();
  const about = useCase(start);
  const { decided, explained } = about;
  useEffect(() => {
    if (state.section) document.getElementById(state.section)?.scrollIntoView();
  }, [state.section, explained.answer === null]);
  return (
    <div class="case">
      <CasePanel about={about} />
      <main aria-busy={!state.start || (!explained.fresh && !explained.problem && !decided.problem)}>
        <Verdict about={about} />
        <nav class="sections" aria-label="Questions about this decision">
          {SECTIONS.map(([id, text]) => (
            <button
              type="button"
              key={id}
              aria-current={state.section === id ? "true" : undefined}
              onClick={() => {
                go({ section: id }, true);
                document.getElementById(id)?.scrollIntoView();
              }}
            >
              {text}
            </button>
          ))}
          <span class="now" aria-hidden="true">{decided.problem ? "" : decided.answer?.label_text}</span>
        </nav>
        <div class="answers" hidden={decided.problem?.status === 400}>
          {explained.problem && decided.fresh && <ProblemNotice problem={explained.problem} again={explained.again} />}
          <Unanswered notes={explained.answer?.notes ?? []} />
          {explained.answer && (
            <>
              <section id="why" class="pair">
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
