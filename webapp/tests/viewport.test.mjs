import assert from "node:assert/strict";
import { test } from "node:test";
import { boundingBox, fitAll, initialViewport, isVisible } from "./out/graph/viewport.js";

const box = (x, y) => ({ x, y, width: 100, height: 30 });
const frame = { width: 800, height: 600 };

test("a drawing that is readable as a whole is shown whole", () => {
  const viewport = initialViewport({ width: 900, height: 700 }, frame, [box(0, 0)], box(0, 0));
  assert.deepEqual(viewport, fitAll({ width: 900, height: 700 }, frame));
});

test("the path of a large drawing is visible and readable, wherever it is", () => {
  for (const shift of [0, 2000, 6000, 9000]) {
    const boxes = [box(shift, 0), box(shift + 300, 300), box(shift + 900, 900)];
    const viewport = initialViewport({ width: 10000, height: 1000 }, frame, boxes, boxes[0]);
    assert.ok(viewport.scale >= 0.5 && isVisible(viewport, frame, boxes), `${shift}`);
  }
});

test("a path that is too long is shown from its top", () => {
  const boxes = Array.from({ length: 40 }, (_, i) => box(5000 + 20 * i, 100 * i));
  const viewport = initialViewport({ width: 10000, height: 4100 }, frame, boxes, boxes[0]);
  assert.ok(isVisible(viewport, frame, boxes.slice(0, 7)) && !isVisible(viewport, frame, boxes));
});

test("boxes outside of the frame are not visible", () => {
  const viewport = { x: 0, y: 0, scale: 1 };
  assert.ok(isVisible(viewport, frame, [box(0, 0), box(700, 570)]));
  for (const out of [box(-1, 0), box(701, 0), box(0, 571)]) assert.ok(!isVisible(viewport, frame, [box(0, 0), out]));
  assert.deepEqual(boundingBox([box(0, 0), box(50, 100)]), { x: 0, y: 0, width: 150, height: 130 });
});

test("a drawing without a path that nearly fits is not cropped to be a little larger", () => {
  const wide = (width) => initialViewport({ width, height: 200 }, frame, [], box(width / 2, 0)).scale;
  assert.deepEqual([wide(700), wide(1200).toFixed(2), wide(2000)], [1, "0.67", 0.72]);
});
