/** Messages that something is not as expected, and what can be done. */
import type { ComponentChildren } from "preact";
import type { Problem } from "./api.ts";

export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}

const TITLES: Record<string, string> = {
  ServerGone: "The server is gone",
  BudgetExceeded: "This would take longer than allowed",
  Busy: "The server is busy",
};

function titleOf({ kind, status }: Problem): string {
  if (TITLES[kind]) return TITLES[kind];
  if (status === 400 || status === 422) return "This value is not possible";
  if (status === 409) return "This model cannot answer that";
  return "No answer";
}

interface ProblemProps {
  problem: Problem;
  title?: string | undefined;
  again?: () => void;
}

export function ProblemNotice({ problem, title = titleOf(problem), again }: ProblemProps) {
  const retry = again && (problem.status === 0 || problem.status >= 500);
  return (
    <div class="notice" role="alert">
      <strong>{title}</strong>
      <div>{problem.message}</div>
      {retry && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
