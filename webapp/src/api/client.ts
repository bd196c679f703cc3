/** Requests to the server, typed by its OpenAPI schema. `make api-types` generates types.ts from it. */
import type { paths } from "./types.ts";

type Routes = { [Path in keyof paths as Path extends `/api/v1/${infer Route}` ? Route : never]: paths[Path] };
type GetRoute = { [Route in keyof Routes]: Routes[Route] extends { get: object } ? Route : never }[keyof Routes];
type PostRoute = { [Route in keyof Routes]: Routes[Route] extends { post: object } ? Route : never }[keyof Routes];
type Json<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Body } } } } ? Body : never;
type JsonBody<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } } ? Body : never;
type Parameter = string | number | boolean | null | undefined;
type Parameters<Operation> = Operation extends { parameters: infer Given } ? Pick<Given, keyof Given & ("path" | "query")> : never;

/** A request whose response is of type `Response`. */
export interface ApiRequest<Response> {
  readonly url: string;
  /** The JSON text of a POST; null for a GET. */
  readonly body: string | null;
  /** Never set: it only carries the type. */
  readonly response?: Response;
}

/** A GET request; `path` fills the route's placeholders, `query` is what follows the question mark. */
export function get<Route extends GetRoute>(
  route: Route,
  parameters: Parameters<Routes[Route]["get"]> = {} as Parameters<Routes[Route]["get"]>,
): ApiRequest<Json<Routes[Route]["get"]>> {
  const { path = {}, query = {} } = parameters as { path?: Record<string, Parameter>; query?: Record<string, Parameter> };
  const url = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const set = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return { url: set.length ? `${url}?${new URLSearchParams(set)}` : url, body: null };
}

export function post<Route extends PostRoute>(
  route: Route,
  body: JsonBody<Routes[Route]["post"]>,
): ApiRequest<Json<Routes[Route]["post"]>> {
  return { url: route, body: JSON.stringify(body) };
}

/** Why there is no response: the error that the server reports, or that it cannot be reached (status 0). */
export class ApiError extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const UNREACHABLE = "The server does not respond. If it was stopped, start it with `reasons serve` and try again.";

/** The response to a request. Throws `ApiError`, or the abort error where `signal` was aborted. */
export async function send<Response>({ url, body }: ApiRequest<Response>, signal: AbortSignal): Promise<Response> {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  let answer: globalThis.Response;
  try {
    answer = await fetch(`api/v1/${url}`, body === null ? { signal } : { signal, ...post });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError("ServerUnreachable", UNREACHABLE, 0);
  }
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok && json !== null) return json as Response;
  throw errorIn(json, answer.status);
}

function errorIn(json: unknown, status: number): ApiError {
  const error = (json as { error?: { kind?: string; message?: string } } | null)?.error;
  return new ApiError(error?.kind ?? "Error", error?.message ?? `The server answered with status ${status}.`, status);
}
