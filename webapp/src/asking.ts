/** Questions to the server from components: asked at once, dropped when they are out of date. */
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { asked, Problem } from "./api.ts";

export interface Asked<T> {
  /** The last answer; of the present question only if `fresh`. */
  answer: T | null;
  fresh: boolean;
  problem: Problem | null;
  again: () => void;
}

const KEPT = 200;
const kept = new Map<string, unknown>();

function keep(key: string, answer: unknown): void {
  kept.delete(key);
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
}

/** What came with the page itself needs no question. */
const inside = document.getElementById("model");
if (inside?.textContent) keep("model ", JSON.parse(inside.textContent));
inside?.remove();

/** A first change is asked about at once, the rest of a burst (a dragged slider) when it pauses. */
const BURST = 150;
let lastAsked = -Infinity;

export function pause(now: number): number {
  const wait = now - lastAsked < BURST ? 90 : 0;
  lastAsked = now;
  return wait;
}

/** The answer to POST `path` with `body` (GET where it is undefined); asks nothing while `when` is false. */
export function useAsked<T>(path: string, body: unknown, when = true, wait = 0): Asked<T> {
  const key = `${path} ${body === undefined ? "" : JSON.stringify(body)}`;
  const [problem, setProblem] = useState<{ key: string; problem: Problem } | null>(null);
  const [tries, again] = useReducer((count: number, _: void) => count + 1, 0);
  const last = useRef<T | null>(null);
  const known = when ? (kept.get(key) as T | undefined) : undefined;
  if (known !== undefined) last.current = known;
  useLayoutEffect(() => {
    if (!when || kept.has(key)) return;
    const control = new AbortController();
    const ask = () =>
      asked<T>(path, body, control.signal).then(
        (answer) => {
          keep(key, answer);
          if (!control.signal.aborted) again();
        },
        (error: unknown) => {
          if (!control.signal.aborted) setProblem({ key, problem: asProblem(error) });
        },
      );
    setProblem(null);
    const timer = wait > 0 ? setTimeout(ask, wait) : void ask();
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, when, tries]);
  return {
    answer: last.current,
    fresh: known !== undefined,
    problem: problem?.key === key && known === undefined ? problem.problem : null,
    again: () => again(),
  };
}

function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem("Problem", String(error), 0);
}
