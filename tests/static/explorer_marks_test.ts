/** The marks of the explorer's chart in the browser: those of the picture that the service draws. */
import { assertEquals } from "@std/assert";
import * as picture from "../../routes/charts/chart_panels.ts";
import { diamondPath } from "../../routes/charts/line_path.ts";
import * as chart from "../../static/explorer/marks.js";
import { fc } from "../support/properties.ts";

Deno.test("names take the same share of the width in the browser as in the picture, at the same distance", () => {
  assertEquals(chart.MAX_LABEL_SHARE, picture.MAX_LABEL_SHARE);
  assertEquals(chart.LABEL_DISTANCE, picture.LABEL_DISTANCE);
});

/** Returns the tops of the diamonds that the browser draws at places. */
function drawn(places: readonly { x: number; y: number }[]): string[] {
  const tops: string[] = [];
  const ctx = {
    moveTo: (x: number, y: number) => tops.push(`${x} ${y}`),
    ...Object.fromEntries(
      ["save", "restore", "beginPath", "lineTo", "closePath", "fill", "stroke"]
        .map((name) => [name, () => {}]),
    ),
  };
  const data = [places.map(({ x }) => x), places.map(({ y }) => y), []];
  const revised = places.map((_, at) => ({ at }));
  const plot = { ctx, data, valToPos: (value: number) => value };
  const colours = { fill: "", stroke: "" };
  chart.drawRevisions(plot, { lines: [{ revised }] }, colours);
  return tops;
}

Deno.test("the browser draws the diamonds of the picture", () => {
  Object.assign(globalThis, { devicePixelRatio: 1 });
  const pixels = fc.integer({ min: 0, max: 200 });
  const places = fc.uniqueArray(pixels).chain((xs) =>
    fc.tuple(
      ...xs.toSorted((a, b) => a - b)
        .map((x) => pixels.map((y) => ({ x, y }))),
    )
  );
  fc.assert(fc.property(places, (places) => {
    const path = diamondPath(places);
    const tops = [...path.matchAll(/M([^l]+)/g)].map(([, top]) => top);
    assertEquals(drawn(places), tops);
  }));
});
