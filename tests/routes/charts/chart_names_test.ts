/** The names of compared lines above a narrow plot, and the titles of small plots. */
import { assertEquals } from "@std/assert";
import {
  layOutPanels,
  plotHeightOf,
} from "../../../routes/charts/chart_panels.ts";
import { chartPicture } from "../../../routes/charts/chart_svg.ts";
import {
  compared,
  panelsOf,
  upgrade,
} from "../../support/charts/compared_charts.ts";

const NAMED = { isNamed: true };
const BOX = { left: 10, top: 20, right: 210, bottom: 220 };
const VALUES = [[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]];
const NAMES = ["Alpha", "Beta chain", "Gamma"];
const THREE = compared(VALUES, { names: NAMES });

const labelsOf = (chart = THREE, box = BOX, naming = NAMED) =>
  layOutPanels(chart, box, naming)[0]!.labels
    .map(({ line, x, y, text }) => [line, x, y, text]);

Deno.test("names stand in rows above a narrow plot, which moves down by 18 pixels a row", () => {
  assertEquals(labelsOf(), [
    [
      0,
      10,
      16,
      "■ Alpha",
    ],
    [
      1,
      73,
      16,
      "■ Beta chain",
    ],
    [
      2,
      10,
      34,
      "■ Gamma",
    ],
  ]);
  const tops = [layOutPanels(THREE, BOX, NAMED), layOutPanels(THREE, BOX)]
    .map(([panel]) => panel!.frame.top);
  assertEquals(tops, [
    56,
    20,
  ]);
  const size = { width: 200, height: 300 };
  assertEquals(
    [plotHeightOf(THREE, size, NAMED), plotHeightOf(THREE, size)],
    [336, 300],
  );
});

Deno.test("a name goes into the next row if it does not fit, and is cut to the width", () => {
  // Alpha takes 49 pixels, the gap 14 and the second name 84.
  const rowsIn = (width: number) =>
    labelsOf(THREE, { ...BOX, right: BOX.left + width })
      .map(([, x, y]) => [x, y]);
  assertEquals(rowsIn(147), [[10, 16], [73, 16], [10, 34]]);
  assertEquals(rowsIn(146), [[10, 16], [10, 34], [10, 52]]);
  assertEquals(rowsIn(210), [[10, 16], [73, 16], [171, 16]]);
  const long = compared(VALUES, { names: ["x".repeat(40), "b", "c"] });
  const width = { ...BOX, right: BOX.left + 203 };
  assertEquals(labelsOf(long, width).map(([, , , text]) => text), [
    `■ ${"x".repeat(26)}…`,
    "■ b",
    "■ c",
  ]);
});

Deno.test("only drawn lines of a comparison are named above, and only below 480 pixels", () => {
  const none = Array<null>(4).fill(null);
  const one = { ...THREE, lines: THREE.lines.slice(0, 1) };
  const two = { ...THREE, lines: THREE.lines.slice(0, 2) };
  const hidden = {
    ...THREE,
    lines: THREE.lines.map((line, nth) =>
      nth === 1 ? { ...line, drawn: none } : line
    ),
  };
  const partly = {
    ...THREE,
    lines: THREE.lines.map((line) => ({
      ...line,
      drawn: [null, ...line.drawn.slice(1)],
    })),
  };
  assertEquals(labelsOf(one), []);
  assertEquals(labelsOf(two).length, 2);
  assertEquals(labelsOf(hidden).map(([line]) => line), [0, 2]);
  assertEquals(labelsOf(partly).length, 3);
  const isAbove = (width: number) =>
    labelsOf(THREE, { ...BOX, right: BOX.left + width })[0]![1] === 10;
  assertEquals([479, 480].map(isAbove), [true, false]);
  assertEquals(labelsOf(THREE, BOX, { isNamed: false }), []);
});

Deno.test("a small plot has the upgrades of the C-Chain if one of its lines is that chain, and a title that fits", () => {
  const chart = panelsOf(2, {
    upgrades: [upgrade("Durango", "2026-11-02")],
    names: ["y".repeat(60), "b"],
  });
  const lines = chart.lines.map((line, nth) =>
    nth === 0 ? { ...line, chainId: 43114 } : line
  );
  const panels = layOutPanels({ ...chart, lines }, { ...BOX, right: 310 });
  assertEquals(panels.map(({ plot }) => plot.upgrades.length), [1, 0]);
  const [{ frame, title }] = panels as [typeof panels[0]];
  const room = Math.floor((frame.right - frame.left) / 7);
  assertEquals(title, `${"y".repeat(room - 1)}…`);
});

Deno.test("a picture of a comparison is as high as its plot and its names", async () => {
  const boxOf = async (naming?: { isNamed: boolean }) =>
    String(await chartPicture(THREE, { width: 220, height: 260 }, naming))
      .match(/viewBox="([^"]*)"/)![1];
  assertEquals(await boxOf(), "0 0 220 260");
  assertEquals(await boxOf(NAMED), "0 0 220 296");
});
