/** Requests from components: cached, debounced, and aborted when they are out of date. */
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { ApiError, type ApiRequest, get, send } from "./api/client.ts";

export interface QueryResult<T> {
  /** The last response; to the present request only if `fresh`. */
  data: T | null;
  fresh: boolean;
  error: ApiError | null;
  retry: () => void;
}

/** Least recently stored entries are dropped first. */
const CACHE_SIZE = 200;
const cache = new Map<string, unknown>();

const keyOf = ({ url, body }: ApiRequest<unknown>) => `${url} ${body ?? ""}`;

function store(key: string, data: unknown): void {
  cache.delete(key);
  cache.set(key, data);
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value as string);
}

/** The server embeds the model in the HTML, which saves the first request. */
const embeddedModel = document.getElementById("model");
if (embeddedModel?.textContent) store(keyOf(get("model")), JSON.parse(embeddedModel.textContent));
embeddedModel?.remove();

const BURST = 150;
const DEBOUNCE = 90;
let lastChange = -Infinity;

/** How long requests wait after a change: not at all after the first, until a pause in a burst (a dragged slider). */
export function debounceAfter(now: number): number {
  const wait = now - lastChange < BURST ? DEBOUNCE : 0;
  lastChange = now;
  return wait;
}

interface QueryOptions {
  /** No request is sent while this is false. */
  enabled?: boolean;
  /** Milliseconds to wait before the request is sent. */
  delay?: number;
}

export function useQuery<T>(request: ApiRequest<T>, { enabled = true, delay = 0 }: QueryOptions = {}): QueryResult<T> {
  const key = keyOf(request);
  const [failure, setFailure] = useState<{ key: string; error: ApiError } | null>(null);
  const [attempt, retry] = useReducer((count: number, _: void) => count + 1, 0);
  const last = useRef<T | null>(null);
  const cached = enabled ? (cache.get(key) as T | undefined) : undefined;
  if (cached !== undefined) last.current = cached;
  useLayoutEffect(() => {
    if (!enabled || cache.has(key)) return;
    const abort = new AbortController();
    const start = () =>
      send(request, abort.signal).then(
        (data) => {
          store(key, data);
          if (!abort.signal.aborted) retry();
        },
        (error: unknown) => {
          if (!abort.signal.aborted) setFailure({ key, error: asApiError(error) });
        },
      );
    setFailure(null);
    const timer = delay > 0 ? setTimeout(start, delay) : void start();
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, enabled, attempt]);
  return {
    data: last.current,
    fresh: cached !== undefined,
    error: failure?.key === key && cached === undefined ? failure.error : null,
    retry: () => retry(),
  };
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError("Error", String(error), 0);
}
