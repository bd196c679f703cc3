import assert from "node:assert/strict";
import { test } from "node:test";
import { BadLink, changeTo, current, FIRST, hashOf, stateOf } from "./out/state.js";

const features = ["age", "job", "a & b", "~x'", "flag"].map((name) => ({ name, kind: "numeric", values: [] }));
const start = { age: -3.5e-7, job: "<img src=x onerror=1>~'&=#?.,%", "a & b": null, "~x'": "", flag: true };

test("a state comes back from its URL, whatever the names and texts", () => {
  const state = {
    ...FIRST, start, change: { age: 1e21, "~x'": "é\u{1f600}" }, row: 17, protected: ["~x'", "a & b"],
    fixed: ["age", "~x'"], section: "what-if", reason: "start", opened: ["4", "19"], whole: true, parts: ["7"],
  };
  assert.deepEqual(stateOf(hashOf(state, features), features), state);
});

test("an audit comes back from its URL", () => {
  const audit = { run: true, wanted: "é", label: "a&b=c", biased: "true", feature: "~x'", start: 50 };
  const state = { ...FIRST, view: "audit", protected: [], audit };
  assert.deepEqual(stateOf(hashOf(state, features), features).audit, audit);
});

test("the first state is a short URL", () => {
  assert.equal(hashOf(FIRST, features), "#/decision");
  assert.deepEqual(stateOf("", features), FIRST);
});

test("half a character does not break the URL", () => {
  const state = { ...FIRST, start: { ...start, job: "\ud800" } };
  assert.equal(stateOf(hashOf(state, features), features).start.job, "\ufffd");
});

for (const [what, hash] of [
  ["too few values", "#/decision?i=1~2"],
  ["no value", "#/decision?i=1~'a~_~'~x"],
  ["an endless number", "#/decision?i=1~2~3~4~Infinity"],
  ["a text cut short", "#/decision?i=1~'%E0%A4~_~_~t"],
  ["a feature that is not there", "#/decision?c=9.1"],
]) {
  test(`a link with ${what} is refused by name`, () => assert.throws(() => stateOf(hash, features), BadLink));
}

test("what differs from the starting case is the change", () => {
  const now = { ...start, age: 4, flag: false };
  const state = { ...FIRST, start, change: changeTo(start, now) };
  assert.deepEqual(state.change, { age: 4, flag: false });
  assert.deepEqual(current(state), now);
});
