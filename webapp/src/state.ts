/** What the page shows, and the URL that says it. Pure: no window, no network.
 *
 * #/decision?i=<values in feature order>&c=<changes>&p=<protected>&f=<fixed>&r=<row>&t=<section>&x=<opened nodes>
 * #/audit?run=1&label=..&biased=..&feature=..&start=..
 */
import type { Feature, Instance, Value } from "./api.ts";

export interface State {
  view: "decision" | "audit";
  /** The starting case; null until one is chosen. */
  start: Instance | null;
  /** Values that differ from it: "what if". */
  change: Instance;
  /** The row of the user's data that the starting case is. */
  row: number | null;
  /** null: what the server was started with. */
  protected: string[] | null;
  /** Features that changes leave as they are. */
  fixed: string[];
  section: string;
  /** Which complete reason is drawn while values differ. */
  reason: "start" | "now";
  /** Nodes of the classifier's graph whose children were asked for. */
  opened: string[];
  whole: boolean;
  /** Parts of the drawn reason that were asked for. */
  parts: string[];
  audit: AuditState;
}

/** An audit is asked for again by whoever opens the link: servers do not keep them long. */
export interface AuditState {
  run: boolean;
  /** The text of the label that people want; "" for none. */
  wanted: string;
  label: string;
  biased: string;
  feature: string;
  start: number;
}

export const FIRST: State = {
  view: "decision",
  start: null,
  change: {},
  row: null,
  protected: null,
  fixed: [],
  section: "",
  reason: "now",
  opened: [],
  whole: false,
  parts: [],
  audit: { run: false, wanted: "", label: "", biased: "", feature: "", start: 0 },
};

/** A link that does not fit this classifier. */
export class BadLink extends Error {}

/** A text that is safe between the separators of our URLs. */
function sealed(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(
    /[~']/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A value in few characters: t, f, _ (missing), 33, 'text. */
export function written(value: Value): string {
  if (value === null) return "_";
  if (typeof value === "boolean") return value ? "t" : "f";
  return typeof value === "number" ? String(value) : `'${sealed(value)}`;
}

export function read(text: string): Value {
  if (text === "_") return null;
  if (text === "t" || text === "f") return text === "t";
  if (text.startsWith("'")) return unsealed(text.slice(1));
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) throw new BadLink(`“${text}” is no value`);
  return number;
}

function unsealed(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadLink("it was cut short or changed on its way");
  }
}

function writtenCase(instance: Instance, features: Feature[]): string {
  return features.map((feature) => written(instance[feature.name] ?? null)).join("~");
}

function readCase(text: string, features: Feature[]): Instance {
  const values = text.split("~").map(read);
  if (values.length !== features.length)
    throw new BadLink(`it has ${values.length} values, the classifier ${features.length} features`);
  return Object.fromEntries(features.map((feature, i) => [feature.name, values[i] ?? null]));
}

function writtenChange(change: Instance, features: Feature[]): string {
  return features
    .flatMap(({ name }, i) => (Object.hasOwn(change, name) ? [`${i}.${written(change[name] ?? null)}`] : []))
    .join("~");
}

function readChange(text: string, features: Feature[]): Instance {
  const parts = text.split("~").map((part) => {
    const dot = part.indexOf(".");
    return [named(features, part.slice(0, dot)), read(part.slice(dot + 1))] as const;
  });
  return Object.fromEntries(parts);
}

function named(features: Feature[], index: string): string {
  const feature = /^\d+$/.test(index) ? features[Number(index)] : undefined;
  if (!feature) throw new BadLink(`there is no feature number ${index || "?"}`);
  return feature.name;
}

/** The part of the URL after #. Only what differs from the first state is said. */
export function hashOf(state: State, features: Feature[]): string {
  const said: [string, string][] = state.view === "audit" ? auditSaid(state.audit) : decisionSaid(state, features);
  if (state.protected) said.push(["p", state.protected.map(sealed).join(",")]);
  const query = said.map(([key, text]) => `${key}=${text}`).join("&");
  return `#/${state.view}${query && `?${query}`}`;
}

function decisionSaid(state: State, features: Feature[]): [string, string][] {
  const said: [string, string][] = [];
  if (state.start) said.push(["i", writtenCase(state.start, features)]);
  const change = writtenChange(state.change, features);
  if (change) said.push(["c", change]);
  if (state.row !== null) said.push(["r", String(state.row)]);
  if (state.fixed.length) said.push(["f", state.fixed.map(sealed).join(",")]);
  if (state.reason === "start") said.push(["d", "start"]);
  if (state.opened.length) said.push(["x", state.opened.join(".")]);
  if (state.whole) said.push(["all", "1"]);
  if (state.parts.length) said.push(["o", state.parts.join(".")]);
  if (state.section) said.push(["t", sealed(state.section)]);
  return said;
}

function auditSaid(audit: AuditState): [string, string][] {
  return Object.entries(audit)
    .filter(([, value]) => value !== "" && value !== 0 && value !== false)
    .map(([key, value]) => [key, value === true ? "1" : sealed(String(value))]);
}

/** The state a URL says; `BadLink` where it does not fit the features. */
export function stateOf(hash: string, features: Feature[]): State {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const said = new Map(query.split("&").filter(Boolean).map(keyed));
  const text = (key: string) => unsealed(said.get(key) ?? "");
  const whole = (key: string) => natural(said.get(key));
  const known = new Set(features.map((feature) => feature.name));
  const names = (key: string) => said.get(key)!.split(",").map(unsealed).filter((name) => known.has(name));
  const i = said.get("i");
  return {
    ...FIRST,
    view: path === "/audit" ? "audit" : "decision",
    start: i === undefined ? null : readCase(i, features),
    change: said.get("c") ? readChange(said.get("c")!, features) : {},
    row: whole("r"),
    protected: said.has("p") ? names("p") : null,
    fixed: said.has("f") ? names("f") : [],
    section: text("t"),
    reason: said.get("d") === "start" ? "start" : "now",
    opened: numbers(said.get("x")),
    parts: numbers(said.get("o")),
    whole: said.get("all") === "1",
    audit: {
      run: said.get("run") === "1", wanted: text("wanted"), label: text("label"), biased: text("biased"), feature: text("feature"), start: whole("start") ?? 0,
    },
  };
}

function keyed(part: string): [string, string] {
  const at = part.indexOf("=");
  return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
}

/** Ids of nodes: whole numbers, as texts. */
function numbers(text = ""): string[] {
  return text.split(".").filter((id) => natural(id) !== null);
}

function natural(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The case as it stands: the starting case with the changes. */
export function current(state: State): Instance | null {
  return state.start && { ...state.start, ...state.change };
}

/** What of an instance differs from the starting case. */
export function changeTo(start: Instance, now: Instance): Instance {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => start[name] !== value));
}
