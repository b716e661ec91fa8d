/** Stand-alone charts: where the words around a plot are, and how long they may be. */
import { assert, assertEquals } from "@std/assert";
import { chartDocument } from "../../../routes/charts/chart_svg.ts";
import type {
  Chart,
  ChartLine,
} from "../../../services/charts/charts_schema.ts";
import { chart, point, withClass } from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
  drawn,
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
  const rows: [chart: Chart, height: number, bottom: number][] = [
    [plain, 440, 362],
    [chart(DAYS, points, { line: { changes } }), 456, 362],
    [chart(DAYS, points, { checks }), 440, 346],
    [chart(DAYS, points, { checks, line: { changes } }), 456, 346],
  ];
  for (const [given, height, bottom] of rows) {
    const { elements } = await drawn(chartDocument(given));
    assertEquals(
      elements.at(-1)!.attributes.viewBox,
      `0 0 800 ${height}`,
    );
    const axis = withClass(elements, "tick")[0]!.attributes.d!;
    assertEquals(axis.match(/ ([\d.]+)v/)![1], String(bottom));
  }
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

Deno.test("chartDocument() wraps words that are longer than its width into at most four lines", async () => {
  const long = "ab".repeat(200);
  const given = chart(DAYS, [point(DAYS[0]!, 1)], {
    line: { chainName: long, source: long },
  });
  for (const width of [320, 800, 1600]) {
    const { elements, texts } = await drawn(chartDocument(given, { width }));
    assertEquals(withClass(elements, "title").length, 4);
    for (const { text } of texts) {
      assert(text.length <= Math.floor((width - 44) / 6.5), text);
    }
  }
});
