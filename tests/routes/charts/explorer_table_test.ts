/** The table of the values of a chart. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { valueTable } from "../../../routes/charts/explorer_figure.ts";
import {
  type Chart,
  type ChartPoint,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import { chart, point } from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
} from "../../support/charts/compared_charts.ts";
import { rowsOf } from "../../support/charts/explorer.ts";

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, at) => formatDay(parseDay(first) + at));

const tableOf = (given: Chart) =>
  String(valueTable(given, { csv: "/values.csv" }));

const cellsOf = (given: Chart) =>
  rowsOf(tableOf(given)).map((row) =>
    row.map((cell) => cell.replace(/\s+/g, " "))
  );

/** The cells of each row of the head, with the columns and rows that they span. */
const headOf = (given: Chart) =>
  [...tableOf(given).match(/<thead>[\s\S]*<\/thead>/)![0]
    .matchAll(/<tr>[\s\S]*?<\/tr>/g)]
    .map(([row]) =>
      [...row.matchAll(/<th\s+scope="\w+"([^>]*)>([^<]*)/g)]
        .map(([, attributes, words]) => `${words}${attributes}`)
    );

const rowClassesOf = (given: Chart) =>
  [...tableOf(given).match(/<tbody>[\s\S]*/)![0]
    .matchAll(/<tr\s+class="([^"]*)"/g)].map(([, name]) => name);

const NUM = ' class="num"';

Deno.test("a series has a row a day, newest first, and says whether it is complete, inferred, withdrawn or disputed", () => {
  const days = ["01", "02", "03", "04", "05", "06"]
    .map((day) => `2026-11-${day}`);
  const dispute = { agrees: false };
  const given = chart(days, [
    point(days[0]!, 1234.5),
    point(days[1]!, 20, { complete: false }),
    point(days[2]!, 0, { inferred: true }),
    point(days[3]!, 40, { withdrawn: true, ...dispute }),
    point(days[4]!, 50, dispute),
    point(days[5]!, 60, { complete: false, ...dispute }),
  ]);
  assertEquals(cellsOf(given), [
    ["2026-11-06", "60.0", "no, disputed"],
    ["2026-11-05", "50.0", "yes, disputed"],
    ["2026-11-04", "40.0", "yes, withdrawn"],
    ["2026-11-03", "0.0", "yes, inferred"],
    ["2026-11-02", "20.0", "no"],
    ["2026-11-01", "1,234.5", "yes"],
  ]);
  assertEquals(rowClassesOf(given), [
    "is-incomplete is-disputed",
    "is-disputed",
    "is-disputed",
    "",
    "is-incomplete",
    "",
  ]);
  assertEquals(headOf(given), [["Day", `Transactions${NUM}`, "Complete"]]);
  assertStringIncludes(
    tableOf(given),
    '<caption class="visually-hidden">Transactions on Example by day, newest first</caption>',
  );
});

Deno.test("one row stands for a run of buckets without a value", () => {
  const axis = daysFrom("2026-11-01", 9);
  const given = chart(axis, [2, 3, 7].map((at) => point(axis[at]!, at)));
  const rows = [
    ["2026-11-09", "no value for this day"],
    ["2026-11-08", "7", "yes"],
    ["2026-11-05", "no value for 3 days up to 2026-11-07"],
    ["2026-11-04", "3", "yes"],
    ["2026-11-03", "2", "yes"],
    ["2026-11-01", "no value for 2 days up to 2026-11-02"],
  ];
  assertEquals(cellsOf(given), rows);
  assertEquals(
    cellsOf({ ...given, interval: "week" })[2],
    ["2026-11-05", "no value for 3 weeks up to 2026-11-07"],
  );
  assertEquals(headOf({ ...given, interval: "month" })[0]![0], "Month from");
  assertEquals(headOf({ ...given, interval: "week" })[0]![0], "Week from");
  const spans = (given: Chart) =>
    [...tableOf(given).matchAll(/<td\s+colspan="(\d+)"/g)]
      .map(([, columns]) => columns);
  assertEquals(spans(given), ["2", "2", "2"]);
  const average = { ...PLAIN_VIEW, average: "7" } as const;
  assertEquals(spans({ ...given, view: average }), ["3", "3", "3"]);
  const two = compared([[1], [2]]);
  assertEquals(spans(two), ["3"]);
  assertEquals(spans({ ...two, view: { ...two.view, values: "index" } }), [
    "5",
  ]);
  assertEquals(rowClassesOf(two), ["is-missing", ""]);
});

Deno.test("a table has at most 400 rows and 3,000 cells, and links to the older ones", () => {
  const axis = daysFrom("2025-01-01", 403);
  const points = axis.map((day, at) => point(day, at));
  const lastRow = (given: Chart) => {
    const rows = cellsOf(given);
    return [rows.length, rows.at(-1)!.at(-1)];
  };
  const older = (count: number) => `${count} older days are in the CSV`;
  assertEquals(lastRow(chart(axis, points)), [401, older(3)]);
  assertStringIncludes(tableOf(chart(axis, points)), 'href="/values.csv"');
  assertEquals(
    /<td\s+colspan="3">3 older/.test(tableOf(chart(axis, points))),
    true,
  );
  const [at400, at401] = [400, 401].map((count) =>
    lastRow(chart(axis.slice(0, count), points.slice(0, count)))
  );
  assertEquals(at400, [400, "yes"]);
  assertEquals(at401, [401, older(1)]);
  const lines = (count: number) => {
    const { lines: [line] } = chart(axis, points);
    return chart(axis, points, { lines: Array(count).fill(line) });
  };
  assertEquals(lastRow(lines(5)), [401, older(3)]);
  assertEquals(lastRow(lines(6)), [376, older(28)]);
  const view = { ...PLAIN_VIEW, values: "index" } as const;
  assertEquals(lastRow({ ...lines(10), view }), [137, older(267)]);
});

Deno.test("a checked series has the second source, the difference, and its further fields", () => {
  const [first, second, third] = COMPARED_DAYS as [string, string, string];
  const checked = (day: string, value: number, more: Partial<ChartPoint>) =>
    point(day, value, more);
  const given = chart([first, second, third], [
    checked(first, 100, {
      crossCheckValue: 99,
      differencePct: -1,
      further: { monthOverMonthPct: 2.5, validators: 1200 },
    }),
    checked(second, 200, {
      crossCheckValue: 202,
      differencePct: 1,
      comparedDayCount: 1,
      further: { monthOverMonthPct: null, validators: 900 },
    }),
    checked(third, 300, {}),
  ], { name: "monthly-transactions" });
  assertEquals(headOf(given), [[
    "Day",
    `Transactions${NUM}`,
    `Second source${NUM}`,
    `Difference${NUM}`,
    `Month over month${NUM}`,
    `Validators${NUM}`,
    "Complete",
  ]]);
  assertEquals(cellsOf(given), [
    [third, "300", "–", "–", "–", "–", "yes"],
    [second, "200", "202", "+1 % over 1 compared day", "–", "900", "yes"],
    [first, "100", "99", "−1 %", "+2.5 %", "1,200", "yes"],
  ]);
  const gap = chart([first, second], [
    point(second, 1, { further: { validators: 1 } }),
  ], { name: "validators" });
  assertEquals(/<td colspan="5">no value/.test(tableOf(gap)), true);
});

Deno.test("a comparison has a column for each chain, with what is drawn beside its value", () => {
  const [first, second] = COMPARED_DAYS as [string, string];
  const plain = compared([[1, 2], [30]], { view: { values: "absolute" } });
  const given = { ...plain, axis: [first, second] };
  assertEquals(headOf(given), [[
    "Day",
    `Chain 1, transactions${NUM}`,
    `Chain 2, transactions${NUM}`,
    "Complete",
  ]]);
  assertEquals(cellsOf(given), [
    [second, "2", "–", "no"],
    [first, "1", "30", "yes"],
  ]);
  const view = { ...PLAIN_VIEW, values: "index" } as const;
  const [one, other] = given.lines;
  const indexed = {
    ...given,
    view,
    lines: [
      { ...one!, drawn: [100, 200] },
      {
        ...other!,
        drawn: [null],
        points: [
          point(first, 30, { complete: false, revisedAt: "2026-11-09" }),
        ],
      },
    ],
  };
  const span = ' colspan="2" class="num"';
  assertEquals(headOf(indexed), [
    [
      'Day rowspan="2"',
      `Chain 1${span}`,
      `Chain 2${span}`,
      'Complete rowspan="2"',
    ],
    [`transactions${NUM}`, `index${NUM}`, `transactions${NUM}`, `index${NUM}`],
  ]);
  assertEquals(cellsOf(indexed), [
    [second, "2", "200.0", "–", "–", "no"],
    [first, "1", "100.0", "30 revised", "–", "no"],
  ]);
  assertEquals(rowClassesOf(indexed), ["is-incomplete", "is-incomplete"]);
  const average = chart([first], [point(first, 7)], {
    view: { ...PLAIN_VIEW, average: "30" },
    line: { drawn: [5.5] },
  });
  assertEquals(headOf(average)[0]![2], `30-day average${NUM}`);
  assertEquals(cellsOf(average), [[first, "7", "5.5", "yes"]]);
});

Deno.test("a row of a comparison is complete if each chain has a complete value or has not begun", () => {
  const [first, second, third] = COMPARED_DAYS as [string, string, string];
  const given = compared([[1, 2, 3], []], { axis: [first, second, third] });
  const [whole, other] = given.lines;
  const completeOf = (gaps: { from: string; to: string }[]) => {
    const young = { ...other!, points: [point(third, 9)], drawn: [9], gaps };
    return cellsOf({ ...given, lines: [whole!, young] })
      .map((row) => row.at(-1));
  };
  assertEquals(completeOf([]), ["yes", "yes", "yes"]);
  assertEquals(completeOf([{ from: first, to: second }]), ["yes", "no", "no"]);
});
