/** Boxes for messages: a notice, or an error with a button to try again. */
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/client.ts";

export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}

const TITLES: Record<string, string> = {
  ServerUnreachable: "The server cannot be reached",
  BudgetExceeded: "This takes longer than the server allows",
  Busy: "The server is busy",
};

function titleOf({ kind, status }: ApiError): string {
  if (TITLES[kind]) return TITLES[kind];
  if (status === 400 || status === 422) return "This value is not possible";
  if (status === 409) return "This model does not support this query";
  return "The server reported an error";
}

interface ErrorProps {
  error: ApiError;
  title?: string | undefined;
  retry?: () => void;
}

export function ErrorNotice({ error, title = titleOf(error), retry }: ErrorProps) {
  const canRetry = retry && (error.status === 0 || error.status >= 500);
  return (
    <div class="notice" role="alert">
      <strong>{title}</strong>
      <div>{error.message}</div>
      {canRetry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
