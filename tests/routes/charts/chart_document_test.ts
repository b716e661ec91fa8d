/** Stand-alone charts: where the words around a plot are, and how long they may be. */
import { assert, assertEquals } from "@std/assert";
import { layOutPanels } from "../../../routes/charts/chart_panels.ts";
import {
  chartDocument,
  chartOfError,
} from "../../../routes/charts/chart_svg.ts";
import type {
  Chart,
  ChartLine,
} from "../../../services/charts/charts_schema.ts";
import { chart, point, withClass } from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
  drawn,
  panelsOf,
} from "../../support/charts/compared_charts.ts";

const DAYS = COMPARED_DAYS;

Deno.test("chartDocument() keeps the size of its plot whatever stands around it", async () => {
  const changes = {
    from: DAYS[0]!,
    to: DAYS[3]!,
    fold: "sum",
    value: 100,
    missingDays: 0,
    before: null,
    yearBefore: null,
  } as const;
  const checks = {
    source: "another source",
    fetchedAt: null,
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: DAYS[3]!,
    comparedDayCount: 4,
    notComparedDayCount: 0,
    agreementPct: 100,
    disputedDays: [],
    withdrawnDays: [],
  };
  const points = [10, 20, 30, 40].map((value, at) => point(DAYS[at]!, value));
  const plain = chart(DAYS, points);
  const rows: [chart: Chart, height: number, foot: number, bottom: number][] = [
    [plain, 440, 2, 362],
    [chart(DAYS, points, { line: { changes } }), 456, 3, 362],
    [chart(DAYS, points, { checks }), 440, 3, 346],
    [chart(DAYS, points, { checks, line: { changes } }), 456, 4, 346],
  ];
  for (const [given, height, foot, bottom] of rows) {
    const { elements, texts } = await drawn(chartDocument(given));
    const svg = elements.at(-1)!;
    assertEquals(svg.attributes.viewBox, `0 0 800 ${height}`);
    assertEquals([svg.attributes.width, svg.attributes.height], [
      "800",
      `${height}`,
    ]);
    const [ground] = withClass(elements, "ground");
    assertEquals(ground!.attributes, {
      class: "ground",
      x: ".5",
      y: ".5",
      width: "799",
      height: `${height - 1}`,
      rx: "8",
    });
    const [title, head, notices] = texts;
    assertEquals(title, { x: 20, y: 34, text: "Transactions on Example" });
    assertEquals(head, {
      x: 20,
      y: 56,
      text: "Transactions by day, 2026-11-01 to 2026-11-04",
    });
    assertEquals([notices!.x, notices!.y], [20, 75]);
    assertEquals(
      texts.slice(-foot).map(({ x, y }) => [x, y]),
      Array.from(
        { length: foot },
        (_, nth) => [20, height - 4 - 16 * (foot - nth)],
      ),
    );
    const [panel] = layOutPanels(given, {
      left: 20,
      top: 92,
      right: 776,
      bottom,
    });
    assertEquals(
      withClass(elements, "tick")[0]!.attributes.d,
      panel!.plot.xTicks.map(({ x }) => `M${x} ${bottom}v5`).join(""),
    );
    assertEquals(
      withClass(elements, "grid-line")[0]!.attributes.d,
      panel!.plot.yTicks.map(({ y }) => `M${panel!.frame.left} ${y}H776`).join(
        "",
      ),
    );
  }
  const many = panelsOf(3);
  const { elements } = await drawn(chartDocument(many, { width: 668 }));
  // Two columns of 300 pixels, two rows, and 170 pixels of words.
  assertEquals(elements.at(-1)!.attributes.viewBox, "0 0 668 486");
  const single = await drawn(chartDocument(many, { width: 667 }));
  assertEquals(single.elements.at(-1)!.attributes.viewBox, "0 0 667 644");
});

Deno.test("chartDocument() wraps words that are longer than its width into at most four lines, the title earlier", async () => {
  const long = "ab".repeat(200);
  const given = chart(DAYS, [point(DAYS[0]!, 1)], {
    line: { chainName: long, source: long },
  });
  for (const width of [320, 800, 1600]) {
    const { elements, texts } = await drawn(chartDocument(given, { width }));
    const room = width - 44;
    const titles = withClass(elements, "title").map(({ text }) => text);
    assertEquals(titles.length, 4);
    assertEquals(titles[1]!.length, Math.floor(room / 10.6));
    assertEquals(titles.at(-1)!.endsWith("…"), width < 1600);
    for (const { text } of texts) {
      assert(text.length <= Math.floor(room / 6.5), text);
    }
  }
  // 42 letters of text have room in 320 pixels.
  const sourced = (letters: number) =>
    drawn(chartDocument(
      chart(DAYS, [point(DAYS[0]!, 1)], {
        line: { source: "x".repeat(letters) },
      }),
      { width: 320 },
    ));
  const fits = await sourced(42 - "Source: ".length);
  assert(fits.texts.some(({ text }) => text === `Source: ${"x".repeat(34)}`));
  const not = await sourced(43 - "Source: ".length);
  assert(not.texts.some(({ text }) => text === "Source:"));
  assert(not.texts.some(({ text }) => text === "x".repeat(35)));
});

Deno.test("chartDocument() names sources once, the oldest reading, and the first newest day of its lines", async () => {
  const lines = [
    {
      source: "one",
      dataThrough: "2026-11-03",
      fetchedAt: "2026-11-21T08:00:00.000Z",
    },
    {
      source: "two",
      dataThrough: "2026-11-02",
      fetchedAt: "2026-11-21T07:00:00.000Z",
    },
    {
      source: "one",
      dataThrough: "2026-11-04",
      fetchedAt: "2026-11-21T09:00:00.000Z",
    },
  ];
  const given = compared([[1], [1], [1]]);
  const foot = async (more: readonly Partial<ChartLine>[]) => {
    const { texts } = await drawn(chartDocument({
      ...given,
      lines: given.lines.map((line, nth) => ({ ...line, ...more[nth] })),
    }));
    return texts.slice(-2).map(({ text }) => text);
  };
  assertEquals(await foot(lines), [
    "Source: one; two",
    "Data through 2026-11-02, read 2026-11-21 07:00 UTC, by Firn",
  ]);
  assertEquals(await foot(lines.toReversed()), [
    "Source: one; two",
    "Data through 2026-11-02, read 2026-11-21 07:00 UTC, by Firn",
  ]);
  for (const at of [0, 1, 2]) {
    const some = lines.map((line, nth) =>
      nth === at ? { ...line, dataThrough: null } : line
    );
    assertEquals(
      (await foot(some))[1],
      "No complete day, read 2026-11-21 07:00 UTC, by Firn",
    );
  }
});

Deno.test("chartDocument() describes an empty chart, and changes of a single line only", async () => {
  const { texts } = await drawn(chartDocument(chart([], [])));
  assertEquals(texts[1]!.text, "Transactions by day, no data");
  const changes = {
    from: DAYS[0]!,
    to: DAYS[1]!,
    fold: "sum",
    value: 3,
    missingDays: 0,
    before: null,
    yearBefore: null,
  } as const;
  const two = compared([[1, 2], [1, 2]]);
  const lines = two.lines.map((line) => ({ ...line, changes }));
  for (const [count, isShown] of [[1, true], [2, false]] as const) {
    const { texts } = await drawn(
      chartDocument({ ...two, lines: lines.slice(0, count) }),
    );
    const found = texts.some(({ text }) =>
      text === "Total of 2 days: 3 transactions"
    );
    assertEquals(found, isShown, `${count} lines`);
  }
});

Deno.test("chartOfError() wraps its message at the letters that fit into at most twelve lines above the status", async () => {
  const rows: [message: string, lines: string[]][] = [
    ["", []],
    ["Not found", ["Not found"]],
    [`${"a".repeat(115)} b c`, ["a".repeat(115), "b c"]],
    [`${"a".repeat(114)} b c`, [`${"a".repeat(114)} b`, "c"]],
    ["x".repeat(250), ["x".repeat(116), "x".repeat(116), "x".repeat(18)]],
    ["y".repeat(2000), Array.from({ length: 12 }, () => "y".repeat(116))],
  ];
  for (const [message, lines] of rows) {
    const { elements, texts } = await drawn(
      chartOfError({ status: 404, message }),
    );
    const height = 96 + 18 * lines.length;
    const svg = elements.at(-1)!;
    assertEquals(svg.attributes.viewBox, `0 0 800 ${height}`);
    assertEquals([svg.attributes.width, svg.attributes.height], [
      "800",
      `${height}`,
    ]);
    const [ground] = withClass(elements, "ground");
    assertEquals([ground!.attributes.width, ground!.attributes.height], [
      "799",
      `${height - 1}`,
    ]);
    assertEquals(texts, [
      { x: 20, y: 38, text: "This chart cannot be drawn" },
      ...lines.map((text, nth) => ({ x: 20, y: 66 + 18 * nth, text })),
      { x: 20, y: height - 18, text: "Firn, status 404" },
    ]);
  }
});
