/** The state of the page and its form as a URL hash. Pure: no window, no network.
 *
 * #/decision?i=<values in feature order>&c=<changes>&p=<protected>&f=<immutable>&r=<row>&t=<section>&x=<expanded nodes>
 * #/audit?run=1&label=..&biased=..&feature=..&start=..
 */
import type { Feature, Instance, Value } from "./api/schemas.ts";

export interface State {
  view: "decision" | "audit";
  /** The instance that changes are made to; null until one is chosen. */
  startInstance: Instance | null;
  /** The values that differ from it. */
  changes: Instance;
  /** The row of the user's data that the start instance comes from. */
  row: number | null;
  /** null: those that the server was started with. */
  protected: string[] | null;
  /** Features that counterfactuals must not change. */
  immutable: string[];
  section: string;
  /** Whose complete reason is drawn while values differ. */
  reasonOf: "start" | "now";
  /** Nodes of the classifier's graph whose children are shown. */
  expandedNodes: string[];
  showAllNodes: boolean;
  /** Nodes of the drawn reason whose children are shown. */
  expandedReasonNodes: string[];
  audit: AuditState;
}

/** An audit is made again when a link to it is opened: servers do not keep audits for long. */
export interface AuditState {
  run: boolean;
  /** The text of the favourable label; "" for none. */
  favourable: string;
  label: string;
  biased: string;
  feature: string;
  start: number;
}

export const INITIAL_STATE: State = {
  view: "decision",
  startInstance: null,
  changes: {},
  row: null,
  protected: null,
  immutable: [],
  section: "",
  reasonOf: "now",
  expandedNodes: [],
  showAllNodes: false,
  expandedReasonNodes: [],
  audit: { run: false, favourable: "", label: "", biased: "", feature: "", start: 0 },
};

/** A link that does not match this classifier. The message is a sentence. */
export class InvalidLink extends Error {}

/** Escapes a text, including the separators of our URLs. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(
    /[~']/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidLink("The link is incomplete or was altered.");
  }
}

/** A value in few characters: t, f, _ (missing), 33, 'text. */
function encodeValue(value: Value): string {
  if (value === null) return "_";
  if (typeof value === "boolean") return value ? "t" : "f";
  return typeof value === "number" ? String(value) : `'${encode(value)}`;
}

function decodeValue(text: string): Value {
  if (text === "_") return null;
  if (text === "t" || text === "f") return text === "t";
  if (text.startsWith("'")) return decode(text.slice(1));
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) throw new InvalidLink(`The link contains “${text}”, which is not a value.`);
  return number;
}

function encodeInstance(instance: Instance, features: Feature[]): string {
  return features.map((feature) => encodeValue(instance[feature.name] ?? null)).join("~");
}

function decodeInstance(text: string, features: Feature[]): Instance {
  const values = text.split("~").map(decodeValue);
  if (values.length !== features.length)
    throw new InvalidLink(`The link has ${values.length} values, but the classifier has ${features.length} features.`);
  return Object.fromEntries(features.map((feature, i) => [feature.name, values[i] ?? null]));
}

function encodeChanges(changes: Instance, features: Feature[]): string {
  return features
    .flatMap(({ name }, i) => (Object.hasOwn(changes, name) ? [`${i}.${encodeValue(changes[name] ?? null)}`] : []))
    .join("~");
}

function decodeChanges(text: string, features: Feature[]): Instance {
  const changes = text.split("~").map((change) => {
    const dot = change.indexOf(".");
    return [featureName(features, change.slice(0, dot)), decodeValue(change.slice(dot + 1))] as const;
  });
  return Object.fromEntries(changes);
}

function featureName(features: Feature[], index: string): string {
  const feature = /^\d+$/.test(index) ? features[Number(index)] : undefined;
  if (!feature) throw new InvalidLink(`The link refers to feature number ${index || "?"}, which does not exist.`);
  return feature.name;
}

/** The part of the URL after #. Only what differs from the initial state is written. */
export function toHash(state: State, features: Feature[]): string {
  const pairs = state.view === "audit" ? auditPairs(state.audit) : decisionPairs(state, features);
  if (state.protected) pairs.push(["p", state.protected.map(encode).join(",")]);
  const query = pairs.map(([key, text]) => `${key}=${text}`).join("&");
  return `#/${state.view}${query && `?${query}`}`;
}

function decisionPairs(state: State, features: Feature[]): [string, string][] {
  const pairs: [string, string][] = [];
  if (state.startInstance) pairs.push(["i", encodeInstance(state.startInstance, features)]);
  const changes = encodeChanges(state.changes, features);
  if (changes) pairs.push(["c", changes]);
  if (state.row !== null) pairs.push(["r", String(state.row)]);
  if (state.immutable.length) pairs.push(["f", state.immutable.map(encode).join(",")]);
  if (state.reasonOf === "start") pairs.push(["d", "start"]);
  if (state.expandedNodes.length) pairs.push(["x", state.expandedNodes.join(".")]);
  if (state.showAllNodes) pairs.push(["all", "1"]);
  if (state.expandedReasonNodes.length) pairs.push(["o", state.expandedReasonNodes.join(".")]);
  if (state.section) pairs.push(["t", encode(state.section)]);
  return pairs;
}

function auditPairs(audit: AuditState): [string, string][] {
  return Object.entries(audit)
    .filter(([, value]) => value !== "" && value !== 0 && value !== false)
    .map(([key, value]) => [key, value === true ? "1" : encode(String(value))]);
}

/** The state that a URL hash describes. Throws `InvalidLink` where it does not match the features. */
export function fromHash(hash: string, features: Feature[]): State {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const pairs = new Map(query.split("&").filter(Boolean).map(splitPair));
  const text = (key: string) => decode(pairs.get(key) ?? "");
  const integer = (key: string) => parseInteger(pairs.get(key));
  const known = new Set(features.map((feature) => feature.name));
  const names = (key: string) => pairs.get(key)!.split(",").map(decode).filter((name) => known.has(name));
  const instance = pairs.get("i");
  return {
    view: path === "/audit" ? "audit" : "decision",
    startInstance: instance === undefined ? null : decodeInstance(instance, features),
    changes: pairs.get("c") ? decodeChanges(pairs.get("c")!, features) : {},
    row: integer("r"),
    protected: pairs.has("p") ? names("p") : null,
    immutable: pairs.has("f") ? names("f") : [],
    section: text("t"),
    reasonOf: pairs.get("d") === "start" ? "start" : "now",
    expandedNodes: nodeIds(pairs.get("x")),
    expandedReasonNodes: nodeIds(pairs.get("o")),
    showAllNodes: pairs.get("all") === "1",
    audit: {
      run: pairs.get("run") === "1",
      favourable: text("favourable"),
      label: text("label"),
      biased: text("biased"),
      feature: text("feature"),
      start: integer("start") ?? 0,
    },
  };
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** Node ids are non-negative integers, written as text. */
function nodeIds(text = ""): string[] {
  return text.split(".").filter((id) => parseInteger(id) !== null);
}

function parseInteger(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The instance as it stands: the start instance with the changes made. */
export function currentInstance(state: State): Instance | null {
  return state.startInstance && { ...state.startInstance, ...state.changes };
}

/** The values of `to` that differ from those of `from`. */
export function changedValues(from: Instance, to: Instance): Instance {
  return Object.fromEntries(Object.entries(to).filter(([name, value]) => from[name] !== value));
}
