import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, get, post, send } from "./out/api/client.js";

test("a GET fills placeholders, escapes them, and leaves out parameters that are not set", () => {
  assert.deepEqual(get("model"), { url: "model", body: null });
  assert.equal(get("rows/{row}", { path: { row: 7 } }).url, "rows/7");
  const query = { start: 0, count: 25, label: "a&b", biased: false, feature: null };
  assert.equal(get("audit/{key}/rows", { path: { key: "x/y" }, query }).url, "audit/x%2Fy/rows?start=0&count=25&label=a%26b&biased=false");
});

const answering = (status, text) => {
  globalThis.fetch = async (url, options) => {
    answering.sent = { url, ...options };
    return new Response(text, { status });
  };
};
const { signal } = new AbortController();

test("a POST sends its body as JSON and returns the response", async () => {
  answering(200, '{"label": true}');
  assert.deepEqual(await send(post("decide", { instance: { a: null } }), signal), { label: true });
  assert.deepEqual(answering.sent, {
    url: "api/v1/decide", signal, method: "POST", headers: { "Content-Type": "application/json" }, body: '{"instance":{"a":null}}',
  });
});

test("an error carries what the server reports, or its status", async () => {
  answering(503, '{"error": {"kind": "Busy", "message": "wait"}}');
  await assert.rejects(send(get("model"), signal), (error) => error instanceof ApiError && error.kind === "Busy" && error.message === "wait" && error.status === 503);
  answering(502, "<html>");
  await assert.rejects(send(get("model"), signal), (error) => error instanceof ApiError && error.status === 502 && /status 502/.test(error.message));
});

test("a server that cannot be reached is an error of status 0, an aborted request is not", async () => {
  globalThis.fetch = async () => Promise.reject(new TypeError("network"));
  await assert.rejects(send(get("model"), signal), (error) => error instanceof ApiError && error.status === 0);
  await assert.rejects(send(get("model"), AbortSignal.abort()), TypeError);
});
