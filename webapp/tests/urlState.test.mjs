import assert from "node:assert/strict";
import { test } from "node:test";
import { changedValues, currentInstance, fromHash, INITIAL_STATE, InvalidLink, toHash } from "./out/urlState.js";

const features = ["age", "job", "a & b", "~x'", "flag"].map((name) => ({ name, kind: "numeric", values: [] }));
const start = { age: -3.5e-7, job: "<img src=x onerror=1>~'&=#?.,%", "a & b": null, "~x'": "", flag: true };

test("a state comes back from its URL, whatever the names and texts", () => {
  const state = {
    ...INITIAL_STATE, startInstance: start, changes: { age: 1e21, "~x'": "é\u{1f600}" }, row: 17, protected: ["~x'", "a & b"],
    immutable: ["age", "~x'"], section: "what-if", reasonOf: "start", expandedNodes: ["4", "19"], showAllNodes: true, expandedReasonNodes: ["7"],
  };
  assert.deepEqual(fromHash(toHash(state, features), features), state);
});

test("an audit comes back from its URL", () => {
  const audit = { run: true, favourable: "é", label: "a&b=c", biased: "true", feature: "~x'", start: 50 };
  const state = { ...INITIAL_STATE, view: "audit", protected: [], audit };
  assert.deepEqual(fromHash(toHash(state, features), features).audit, audit);
});

test("the initial state is a short URL", () => {
  assert.equal(toHash(INITIAL_STATE, features), "#/decision");
  assert.deepEqual(fromHash("", features), INITIAL_STATE);
});

test("an unpaired surrogate does not break the URL", () => {
  const state = { ...INITIAL_STATE, startInstance: { ...start, job: "\ud800" } };
  assert.equal(fromHash(toHash(state, features), features).startInstance.job, "\ufffd");
});

for (const [what, hash] of [
  ["too few values", "#/decision?i=1~2"],
  ["an invalid value", "#/decision?i=1~'a~_~'~x"],
  ["an infinite number", "#/decision?i=1~2~3~4~Infinity"],
  ["a truncated text", "#/decision?i=1~'%E0%A4~_~_~t"],
  ["an unknown feature", "#/decision?c=9.1"],
]) {
  test(`a link with ${what} is rejected`, () => assert.throws(() => fromHash(hash, features), InvalidLink));
}

test("the changes are the values that differ from the start instance", () => {
  const now = { ...start, age: 4, flag: false };
  const state = { ...INITIAL_STATE, startInstance: start, changes: changedValues(start, now) };
  assert.deepEqual(state.changes, { age: 4, flag: false });
  assert.deepEqual(currentInstance(state), now);
});
