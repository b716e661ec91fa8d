/** Where plots, their axes and their labels are. */
import { assert, assertEquals } from "@std/assert";
import {
  layOutPanels,
  type Panel,
  plotHeightOf,
} from "../../../routes/charts/chart_panels.ts";
import { chartPicture } from "../../../routes/charts/chart_svg.ts";
import { chart, point, withClass } from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
  drawn,
  panelsOf,
  upgrade,
} from "../../support/charts/compared_charts.ts";

const DAYS = COMPARED_DAYS;

/** Estimated width of a label's character in a plot, in pixels. */
const LETTER = 7;

/** The room that the labels of a plot's value axis take on its left. */
const labelRoom = ({ plot }: Panel) =>
  Math.max(...plot.yTicks.map(({ label }) => label.length)) * LETTER + 8;

Deno.test("layOutPanels() puts small plots of 110 pixels into as many columns as have 300 pixels each", () => {
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
    assertEquals(
      panels.map(({ lines }) => lines),
      given.lines.map((_, n) => [n]),
    );
    assert(panels.every(({ labels }) => labels.length === 0));
    const each = (width - 24 * (columns - 1)) / columns;
    for (const [nth, panel] of panels.entries()) {
      const left = 5 + (nth % columns) * (each + 24);
      const top = 7 + Math.floor(nth / columns) * 158 + 22;
      assertEquals(panel.frame, {
        left: left + labelRoom(panel),
        top,
        right: left + each,
        bottom: top + 110,
      }, `${nth} of ${count} in ${width}`);
    }
  }
  const one = compared([[1, 2], [2, 4]]);
  assertEquals(plotHeightOf(one, { width: 800, height: 333 }), 333);
});

Deno.test("layOutPanels() marks upgrades only on the plot of the C-Chain, and shares the range of an index", () => {
  const upgrades = [upgrade("Granite", DAYS[1]!)];
  const given = panelsOf(2, { upgrades });
  const own = {
    ...given,
    lines: given.lines.map((line, nth) => ({
      ...line,
      chainId: nth === 1 ? 43114 : 4337,
    })),
  };
  const box = { left: 0, top: 0, right: 800, bottom: 158 };
  assertEquals(
    layOutPanels(own, box).map(({ plot }) => plot.upgrades.length),
    [0, 1],
  );
  const ranged = (values: "absolute" | "index") =>
    layOutPanels(
      compared([[1, 2], [10, 40]], { view: { layout: "panels", values } }),
      box,
    ).map(({ plot, frame }) => [
      plot.yTicks.at(-1)!.label,
      plot.lines[0]!.end!.y - frame.top,
    ]);
  assertEquals(ranged("absolute"), [["2", 0], ["40", 0]]);
  assertEquals(ranged("index"), [["40", 104.5], ["40", 0]]);
});

Deno.test("layOutPanels() names lines at their ends from 480 pixels on, within a quarter of the width", () => {
  const names = ["A chain with long name", "B"];
  const given = compared([[1, 2, 3, 4], [4, 3, 2, 1]], { names });
  const laid = (width: number, of = given) =>
    layOutPanels(of, { left: 10, top: 0, right: 10 + width, bottom: 200 })[0]!;
  const narrow = laid(479);
  assertEquals([narrow.labels, narrow.frame.right], [[], 489]);
  // 0.24 × 480 / 7 is room for 16 letters.
  const wide = laid(480);
  const [first, second] = wide.labels;
  assertEquals(first!.text, "A chain with lo…");
  assertEquals(second!.text, "B");
  assertEquals(wide.frame, {
    left: 10 + labelRoom(wide),
    top: 0,
    // A capital is 1.5 wider than other letters.
    right: 490 - 16 * LETTER - 1.5 - 10,
    bottom: 200,
  });
  assertEquals(wide.labels.map(({ x, y, line }) => [x, y, line]), [
    [wide.frame.right + 8, 0, 0],
    [wide.frame.right + 8, 150, 1],
  ]);
  assertEquals(laid(700).labels[0]!.text, names[0], "24 letters fit");
  const spaced = compared([[1], [1]], {
    names: ["A chain with a l", "A chain with a longer name"],
  });
  assertEquals(laid(480, spaced).labels.map(({ text, y }) => [text, y]), [
    ["A chain with a l", 0],
    ["A chain with a…", 14],
  ]);
  const crossed = laid(480, compared([[1, 2, 3, 1], [1, 2, 3, 4]]));
  assertEquals(crossed.labels.map(({ line, text }) => [line, text]), [
    [1, "Chain 2"],
    [0, "Chain 1"],
  ]);
  const low = compared([[4, 0, 0, 0], [4, 0, 0, 0]]);
  assertEquals(laid(480, low).labels.map(({ y }) => y), [186, 200]);
  const none = compared([[], [1, 2]]);
  assertEquals(laid(480, none).labels.map(({ line }) => line), [1]);
  assertEquals(laid(480, compared([[1, 2]])).labels, [], "one line");
  const tiny = layOutPanels(given, { left: 0, top: 0, right: 481, bottom: 1 });
  assertEquals(tiny[0]!.lines, [0, 1]);
  assertEquals(tiny[0]!.title, null);
});

Deno.test("a picture has each tick's label at its grid line, and the day axis below the plot", async () => {
  const upgrades = [upgrade("Granite", DAYS[1]!), upgrade("Helicon", DAYS[2]!)];
  const points = [10, 20, 30, 40].map((value, at) =>
    point(DAYS[at]!, value, at === 3 ? { complete: false } : {})
  );
  const given = chart(DAYS, points, { upgrades });
  const [panel] = layOutPanels(given, {
    left: 4,
    top: 14,
    right: 588,
    bottom: 274,
  });
  const { frame, plot } = panel!;
  assertEquals(frame.left, 4 + labelRoom(panel!));
  const { elements, texts } = await drawn(
    chartPicture(given, { width: 600, height: 300 }),
  );
  const svg = elements.at(-1)!;
  assertEquals(svg.attributes.viewBox, "0 0 600 300");
  assertEquals(svg.attributes.role, "img");
  assertEquals(
    svg.attributes["aria-label"]!.startsWith(
      "Transactions on Example. Example, transactions: lowest 10",
    ),
    true,
  );
  assertEquals(
    withClass(elements, "grid-line")[0]!.attributes.d,
    plot.yTicks.map(({ y }) => `M${frame.left} ${y}H588`).join(""),
  );
  assertEquals(
    withClass(elements, "tick")[0]!.attributes.d,
    plot.xTicks.map(({ x }) => `M${x} 274v5`).join(""),
  );
  assertEquals(texts, [
    ...plot.yTicks.map(({ y, label }) => ({
      x: frame.left - 8,
      y: y + 4,
      text: label,
    })),
    ...plot.xTicks.map(({ x, label }) => ({
      x: Math.min(Math.max(x, frame.left + 16.3), 571.8),
      y: 294,
      text: label,
    })),
    ...plot.upgrades.map(({ x, name }) => ({ x: x + 4, y: 24, text: name })),
  ]);
  assertEquals(
    withClass(elements, "upgrade").map((
      { attributes: { d }, text },
    ) => [d, text]),
    plot.upgrades.map(({ x, name }) => [`M${x} 14V274`, name]),
  );
  assertEquals(plot.upgrades.map(({ isNamed }) => isNamed), [true, true]);
  assertEquals(
    withClass(elements, "provisional").map(({ attributes: { cx, cy } }) => ({
      x: Number(cx),
      y: Number(cy),
    })),
    plot.lines[0]!.provisional,
  );
  assertEquals(withClass(elements, "line").map(({ attributes: { d } }) => d), [
    plot.lines[0]!.dashed,
    plot.lines[0]!.solid,
  ]);
});

Deno.test("the lines, labels and titles of a comparison have the colour of their chain", async () => {
  const together = await drawn(chartPicture(
    compared([[1, 2], [2, 1], [3, 3]]),
    { width: 800, height: 300 },
  ));
  const classes = (name: string) =>
    together.elements.filter((element) => element.name === name)
      .map(({ attributes }) => attributes.class);
  assertEquals(classes("g").slice(1), ["series-1", "series-2", "series-3"]);
  assertEquals(
    withClass(together.elements, "line-label").map(({ attributes, text }) => [
      attributes.class!.split(" ").at(-1),
      text,
    ]).sort(),
    [1, 2, 3].map((nth) => [`series-${nth}`, `Chain ${nth}`]),
  );
  const labels = layOutPanels(compared([[1, 2], [2, 1], [3, 3]]), {
    left: 4,
    top: 14,
    right: 788,
    bottom: 274,
  })[0]!.labels;
  assertEquals(
    withClass(together.elements, "line-label").map((
      { attributes: { x, y } },
    ) => [Number(x), Number(y)]),
    labels.map(({ x, y }) => [x, y + 4]),
  );
  const upgrades = [upgrade("Granite", DAYS[1]!)];
  const panels = panelsOf(3, { upgrades });
  const own = {
    ...panels,
    lines: panels.lines.map((line) => ({ ...line, chainId: 43114 })),
  };
  const apart = await drawn(chartPicture(own, { width: 700, height: 300 }));
  assertEquals(apart.elements.at(-1)!.attributes.viewBox, "0 0 700 316");
  const frames = layOutPanels(own, { left: 4, top: 0, right: 688, bottom: 290 })
    .map(({ frame }) => frame);
  assertEquals(
    withClass(apart.elements, "panel-title").map((
      { attributes: { x, y }, text },
    ) => [
      Number(x),
      Number(y),
      text,
    ]),
    frames.map(({ left, top }, nth) => [left, top - 8, `Chain ${nth + 1}`]),
  );
  assertEquals(withClass(apart.elements, "upgrade").length, 3);
  assertEquals(withClass(apart.elements, "upgrade-name"), []);
});
