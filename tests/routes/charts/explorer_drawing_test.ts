import { assertEquals } from "@std/assert";
import { drawingOf } from "../../../routes/charts/explorer_figure.ts";
import { formatDrawn } from "../../../routes/charts/chart_words.ts";
import { compared } from "../../support/charts/compared_charts.ts";

const VALUES = [1_234_567.714, 999.996, 12.345678, 0.000123456];

Deno.test("the browser gets an average with the digits that the table writes, and no more", () => {
  const chart = compared([VALUES], { view: { average: "7" } });
  const [line] = drawingOf(chart).lines;
  assertEquals(
    line!.values.map((value) => formatDrawn(chart, value!)),
    VALUES.map((value) => formatDrawn(chart, value)),
  );
  assertEquals(line!.values, [1_234_567.71, 1_000, 12.346, 0.00012346]);
});

Deno.test("the browser gets a share with more digits than the readout shows, so that it is rounded once", () => {
  const chart = compared([[123.449, 12_345.64]], {
    view: { values: "share" },
  });
  const [line] = drawingOf(chart).lines;
  assertEquals(
    line!.values.slice(0, 2).map((value) => formatDrawn(chart, value!)),
    [
      "123.4",
      "12,345.6",
    ],
  );
});
