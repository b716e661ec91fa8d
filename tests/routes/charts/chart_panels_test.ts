/** Where plots, their axes and their labels are. */
import { assertEquals } from "@std/assert";
import {
  layOutPanels,
  plotHeightOf,
} from "../../../routes/charts/chart_panels.ts";
import { chartPicture } from "../../../routes/charts/chart_svg.ts";
import { withClass } from "../../support/charts/charts.ts";
import {
  compared,
  drawn,
  panelsOf,
  upgrade,
} from "../../support/charts/compared_charts.ts";

Deno.test("layOutPanels() puts small plots into as many columns as have 300 pixels each", () => {
  const rows: [count: number, width: number, columns: number][] = [
    [2, 300, 1],
    [2, 623, 1],
    [2, 624, 2],
    [3, 1080, 2],
    [4, 1080, 2],
    [5, 947, 2],
    [5, 948, 3],
    [5, 1080, 3],
    [10, 1600, 3],
  ];
  for (const [count, width, columns] of rows) {
    const given = panelsOf(count);
    const height = Math.ceil(count / columns) * 158;
    assertEquals(plotHeightOf(given, { width, height: 1 }), height);
    const box = { left: 5, top: 7, right: 5 + width, bottom: 7 + height };
    const panels = layOutPanels(given, box);
    assertEquals(panels.map(({ title }) => title), [...given.chainNames]);
    const rights = new Set(panels.map(({ frame }) => frame.right));
    assertEquals(rights.size, columns, `${count} in ${width}`);
  }
  const one = compared([[1, 2], [2, 4]]);
  assertEquals(plotHeightOf(one, { width: 800, height: 333 }), 333);
});

Deno.test("the lines and labels of a comparison have the colour of their chain, and small plots its name", async () => {
  const together = await drawn(chartPicture(
    compared([[1, 2], [2, 1], [3, 3]]),
    { width: 800, height: 300 },
  ));
  const lines = together.elements.filter(({ name }) => name === "g").slice(1);
  assertEquals(
    lines.map(({ attributes }) => attributes.class),
    ["series-1", "series-2", "series-3"],
  );
  assertEquals(
    withClass(together.elements, "line-label").map(({ attributes, text }) => [
      attributes.class!.split(" ").at(-1),
      text,
    ]).sort(),
    [1, 2, 3].map((nth) => [`series-${nth}`, `Chain ${nth}`]),
  );
  const apart = await drawn(
    chartPicture(panelsOf(3), { width: 700, height: 300 }),
  );
  assertEquals(
    withClass(apart.elements, "panel-title").map(({ text }) => text),
    ["Chain 1", "Chain 2", "Chain 3"],
  );
});

Deno.test("a small plot has the upgrades of the C-Chain if one of its lines is that chain, and a title that fits", () => {
  const chart = panelsOf(2, {
    upgrades: [upgrade("Durango", "2026-11-02")],
    names: ["y".repeat(60), "b"],
  });
  const lines = chart.lines.map((line, nth) =>
    nth === 0 ? { ...line, chainId: 43114 } : line
  );
  const panels = layOutPanels({ ...chart, lines }, {
    left: 10,
    top: 20,
    right: 310,
    bottom: 220,
  });
  assertEquals(panels.map(({ plot }) => plot.upgrades.length), [1, 0]);
  const [{ frame, title }] = panels as [typeof panels[0]];
  const room = Math.floor((frame.right - frame.left) / 7);
  assertEquals(title, `${"y".repeat(room - 1)}…`);
});
