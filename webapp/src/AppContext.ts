/** What every component can read: the model, the state, and how to change the state. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Model } from "./api/schemas.ts";
import type { State } from "./urlState.ts";

export interface AppContextValue {
  model: Model;
  state: State;
  /** Changes the state and the URL; `replace` adds no entry to the browser's history. */
  navigate: (change: Partial<State>, replace?: boolean) => void;
  /** Milliseconds that expensive requests about this state wait; 0 unless changes come in a burst. */
  debounce: number;
}

export const AppContext = createContext<AppContextValue | null>(null);

export function useApp(): AppContextValue {
  const value = useContext(AppContext);
  if (!value) throw new Error("useApp is called outside of AppContext");
  return value;
}
