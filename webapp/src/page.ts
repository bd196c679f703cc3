/** What every component may know: the model, the state, and how to change it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Model } from "./api.ts";
import type { State } from "./state.ts";

export interface Page {
  model: Model;
  state: State;
  /** Changes the state and with it the URL; `quiet` leaves no step in the browser's history. */
  go: (change: Partial<State>, quiet?: boolean) => void;
  /** How long the heavier questions about this state wait: 0 unless changes come in a burst. */
  wait: number;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("used outside of the page");
  return page;
}
