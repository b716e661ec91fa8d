import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import type { Deps } from "../../../services/deps.ts";
import {
  askChecked as ask,
  BASE,
  CHECKED_PATHS as PATHS,
  type CheckedPath as Path,
} from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";
import {
  CHECKS,
  COUNTS,
  FACTS,
  FIELDS,
} from "../../support/chain_data/checked_fields.ts";
import { checkDaily, succeed } from "../../support/jobs.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import type { SeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import { putSeries } from "../../support/series.ts";
import type { TransactionsAnswer } from "../../../services/chain_data/checks/checked_series_schema.ts";
import {
  C_CHAIN,
  type MetricsAnswer,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { CHECKED_CHARTS } from "../../../services/charts/checked_charts.ts";
import {
  type History,
  history,
  PUBLISHED,
  publishedDeps,
  windows,
} from "../../support/chain_data/histories.ts";
import { fc } from "../../support/properties.ts";

async function askCsv(deps: Deps, path: Path, query: string) {
  const url = `${BASE}${path}?${query}&format=csv`;
  const response = await createApp(deps).request(url);
  assertEquals(response.status, 200);
  assertEquals(
    response.headers.get("Content-Type"),
    "text/csv; charset=utf-8; header=present",
  );
  return parse(await response.text());
}

/** Returns the CSV cell of a field. The column of a nested field has a joined name. */
function cellOf(item: Record<string, unknown>, column: string): string {
  const nested = column.match(/^snapshot(.)(.*)$/);
  const value = nested
    ? (item.snapshot as Record<string, unknown> | null)
      ?.[nested[1]!.toLowerCase() + nested[2]!]
    : item[column === "period" ? "day" : column];
  if (Array.isArray(value)) return value.join(" ");
  return value === null || value === undefined ? "" : String(value);
}

Deno.test("the four checked series after eight days of checks", async (t) => {
  using deps = await testDeps({ start: "2026-11-14T08:00:00Z" });
  await checkDaily(deps, 8);

  for (const path of PATHS) {
    await t.step(`GET ${path} has its fields in order`, async () => {
      const body = await ask(deps, path);
      assertEquals(Object.keys(body), FIELDS[path].answer);
      for (const item of body.series) {
        // Only revised days have the last one.
        const fields = Object.keys(item).filter((name) => name !== "revisedAt");
        assertEquals(fields, FIELDS[path].item);
      }
    });
    await t.step(
      `GET ${path} describes the series and its checks`,
      async () => {
        const body: Record<string, unknown> = await ask(deps, path);
        for (const [field, value] of Object.entries(FACTS[path])) {
          assertEquals(body[field], value, field);
        }
        const { checks } = await ask(deps, path);
        const { source, tolerancePct, checkedThrough } = checks;
        assertEquals({ source, tolerancePct, checkedThrough }, CHECKS[path]);
        assertEquals(checks.fetchedAt!.slice(0, 10), "2026-11-21");
        assertEquals(body.disputedDayCount, checks.disputedDays.length);
        const agreeing = checks.comparedDayCount - checks.disputedDays.length;
        assertEquals(
          checks.agreementPct,
          Math.round(agreeing / checks.comparedDayCount * 1e6) / 1e4,
        );
      },
    );
    await t.step(`GET ${path} as CSV has the same rows`, async () => {
      const { series } = await ask(deps, path, "from=2026-10-01");
      const [header, ...rows] = await askCsv(deps, path, "from=2026-10-01");
      assertEquals(
        header,
        FIELDS[path].item.flatMap((field) =>
          field === "snapshot"
            ? [...COUNTS, "takenAt"].map((nested) =>
              `snapshot${nested[0]!.toUpperCase()}${nested.slice(1)}`
            )
            : [field === "day" ? "period" : field]
        ),
      );
      assertEquals(
        rows,
        series.map((item) => header!.map((column) => cellOf(item, column))),
      );
    });
  }

  await t.step(
    "a range counts days back from today; from and to replace it",
    async () => {
      const months = "/monthly-transactions";
      const cases: [
        path: Path,
        query: string,
        first: string,
        last: string,
        range: string | null,
      ][] = [
        [months, "", "2020-09-01", "2026-11-01", "all"],
        [months, "range=30d", "2026-10-01", "2026-11-01", "30d"],
        [months, "range=1y", "2025-11-01", "2026-11-01", "1y"],
        [months, "range=30d&interval=day", "2026-10-23", "2026-11-19", "30d"],
        [
          months,
          "from=2026-09-15&to=2026-10-02",
          "2026-09-01",
          "2026-10-01",
          null,
        ],
        ["/transaction-fees", "range=90d", "2026-08-01", "2026-11-01", "90d"],
        [
          "/transaction-fees",
          "to=2020-11-05",
          "2020-09-01",
          "2020-11-01",
          null,
        ],
        ["/block-production", "", "2020-09-23", "2026-11-20", "all"],
        ["/block-production", "range=30d", "2026-10-23", "2026-11-20", "30d"],
        [
          "/block-production",
          "to=2020-10-01",
          "2020-09-23",
          "2020-10-01",
          null,
        ],
        ["/validators", "", "2020-09-21", "2026-11-19", "all"],
        ["/validators", "range=90d", "2026-08-24", "2026-11-19", "90d"],
        ["/validators", "from=2026-11-18", "2026-11-18", "2026-11-19", null],
      ];
      for (const [path, query, first, last, range] of cases) {
        const body = await ask(deps, path, query);
        assertEquals(
          [body.series[0]!.day, body.series.at(-1)!.day, body.range],
          [first, last, range],
          `${path}?${query}`,
        );
      }
    },
  );
  await t.step(
    "a window without days is empty, also as CSV, and nothing is compared",
    async () => {
      const query = "from=2026-11-21";
      for (const path of PATHS) {
        const isMonthly = FIELDS[path].answer.includes("interval");
        const asked = isMonthly ? `${query}&interval=day` : query;
        const { series, checks, lastPeriodComplete, ...body } = await ask(
          deps,
          path,
          asked,
        );
        assertEquals([series, lastPeriodComplete], [[], false], path);
        assertEquals(
          [checks.comparedDayCount, checks.agreementPct, checks.disputedDays],
          [0, null, []],
          path,
        );
        assertEquals(body.disputedDayCount, 0, path);
        const rows = await askCsv(deps, path, asked);
        assertEquals([rows.length, rows[0]![0]], [1, "period"], path);
      }
    },
  );
  await t.step("checks cover the window", async () => {
    const query = "from=2024-06-01&to=2024-06-30";
    const { checks, disputedDayCount } = await ask(
      deps,
      "/monthly-transactions",
      query,
    );
    assertEquals(checks.checkedThrough, "2024-06-30");
    assertEquals(checks.comparedDayCount, 30);
    assertEquals(checks.notComparedDayCount, 0);
    assertEquals(checks.disputedDays.map(({ day }) => day), ["2024-06-18"]);
    assertEquals(checks.agreementPct, 96.6667);
    assertEquals(disputedDayCount, 1);
  });
  await t.step(
    "recentAgreementPct does not depend on the window",
    async () => {
      const queries = [
        "range=30d&interval=day",
        "range=1y",
        "from=2021-01-01&to=2021-02-01",
        "from=2024-06-01&to=2024-06-30&interval=day",
        "from=2026-11-20",
      ];
      for (
        const path of ["/monthly-transactions", "/transaction-fees"] as const
      ) {
        const { recentAgreementPct } = await ask(deps, path);
        const { checks } = await ask(
          deps,
          path,
          "interval=day&from=2026-08-21",
        );
        assertEquals(
          [recentAgreementPct, 90],
          [checks.agreementPct, checks.comparedDayCount],
          path,
        );
        for (const query of queries) {
          const windowed = await ask(deps, path, query);
          assertEquals(windowed.recentAgreementPct, recentAgreementPct, query);
        }
      }
    },
  );
});

Deno.test("checked transactions and fees over simnet's history", async (t) => {
  using deps = await testDeps();
  await succeed(deps, "cross-check");
  await t.step(
    "all planted disputes of transactions and fees, with both values",
    async () => {
      const planted: [path: Path, days: [day: string, pct: number][]][] = [
        ["/monthly-transactions", [
          ["2023-11-22", 2.1],
          ["2024-06-18", -1.5],
          ["2025-07-02", 1.7],
          ["2026-11-11", 1.6],
        ]],
        ["/transaction-fees", [["2024-03-13", -2.4], ["2026-11-11", -1.7]]],
      ];
      for (const [path, days] of planted) {
        const { checks: { disputedDays } } = await ask(deps, path);
        assertEquals(
          disputedDays.map(({ day }) => day),
          days.map(([day]) => day),
        );
        for (const [index, dispute] of disputedDays.entries()) {
          const { value, crossCheckValue, differencePct } = dispute;
          const exact = (crossCheckValue / value - 1) * 100;
          assert(Math.abs(exact - differencePct!) < 1e-4);
          assert(Math.abs(exact - days[index]![1]) < 0.25, dispute.day);
        }
      }
    },
  );
  await t.step(
    "interval=day has the days whose sums the months are",
    async () => {
      const query = "from=2026-09-01&to=2026-10-31";
      const days = await ask(
        deps,
        "/monthly-transactions",
        `${query}&interval=day`,
      );
      const months = await ask(deps, "/monthly-transactions", query);
      assertEquals(days.interval, "day");
      assertEquals(days.series.length, 61);
      for (const month of months.series) {
        const own = days.series.filter(({ day }) =>
          day.slice(0, 7) === month.day.slice(0, 7)
        );
        const sum = (values: (number | null)[]) =>
          values.reduce<number>((total, value) => total + value!, 0);
        assertEquals(month.txCount, sum(own.map((day) => day.txCount)));
        assertEquals(
          month.crossCheckTxCount,
          sum(own.map((day) => day.crossCheckTxCount)),
        );
      }
      for (const item of days.series) {
        assertEquals([item.monthOverMonthPct, item.yearOverYearPct], [
          null,
          null,
        ]);
        assertEquals(item.comparedDayCount, 1);
      }
    },
  );
  await t.step(
    "months change against the month before and the year before",
    async () => {
      const { series } = await ask(deps, "/monthly-transactions");
      const month = (day: string) => series.find((item) => item.day === day)!;
      const change = (day: string, base: string) =>
        Math.round(
          (month(day).txCount - month(base).txCount) / month(base).txCount *
            1e6,
        ) / 1e4;
      const october = month("2026-10-01");
      assertEquals(
        october.monthOverMonthPct,
        change("2026-10-01", "2026-09-01"),
      );
      assertEquals(october.yearOverYearPct, change("2026-10-01", "2025-10-01"));

      const { series: cut } = await ask(
        deps,
        "/monthly-transactions",
        "from=2026-10-01&to=2026-10-31",
      );
      assertEquals(cut, [october], "changes look back beyond the window");
    },
  );
});

const OURS: SeriesId = { subject: 43114, metric: "txCount" };
const SECOND: SeriesId = { subject: "explorer-index", metric: "txCount" };

Deno.test("a month that agrees still shows its disputed day", async () => {
  using deps = await testDeps();
  const flat = Array<number>(62).fill(1_000);
  const from = "2026-09-01";
  const values = flat.with(35, 1_010);
  await putSeries(deps, OURS, { from, values: flat });
  await putSeries(deps, SECOND, { from, values });
  const { series, checks, disputedDayCount } = await ask(
    deps,
    "/monthly-transactions",
    "from=2026-09-01&to=2026-10-31",
  );
  const october = series[1]!;
  assertEquals(
    [october.day, october.differencePct, october.agrees],
    ["2026-10-01", 0.0323, true],
  );
  assertEquals(october.disputedDays, ["2026-10-06"]);
  assertEquals(checks.disputedDays, [
    {
      day: "2026-10-06",
      value: 1_000,
      crossCheckValue: 1_010,
      differencePct: 1,
    },
  ]);
  assertEquals(disputedDayCount, 1);

  const { series: days } = await ask(
    deps,
    "/monthly-transactions",
    "from=2026-10-05&to=2026-10-07&interval=day",
  );
  assertEquals(days.map(({ agrees }) => agrees), [true, false, true]);
});

Deno.test("small differences on every day make a month disagree without a disputed day", async () => {
  using deps = await testDeps();
  const from = "2026-09-01";
  const values = Array<number>(61).fill(1_000);
  await putSeries(deps, OURS, { from, values });
  await putSeries(deps, SECOND, { from, values: values.map(() => 1_001) });
  const { series, disputedDayCount } = await ask(
    deps,
    "/monthly-transactions",
    "to=2026-09-30",
  );
  assertEquals([series[0]!.differencePct, series[0]!.agrees], [0.1, false]);
  assertEquals(disputedDayCount, 0);
});

Deno.test("a month is judged only when every day of it is compared", async () => {
  using deps = await testDeps();
  const flat = Array<number>(62).fill(1_000);
  const month = async (
    { from = "2026-09-01", second }: {
      from?: string;
      second: readonly (number | null)[];
    },
  ) => {
    await putSeries(deps, OURS, { from, values: flat.slice(0, second.length) });
    await putSeries(deps, SECOND, { from, values: second });
    const { series } = await ask(deps, "/monthly-transactions");
    const { agrees, disputedDays, comparedDayCount, complete } = series[0]!;
    return { agrees, disputedDays, comparedDayCount, complete };
  };
  assertEquals(await month({ second: flat }), {
    agrees: true,
    disputedDays: [],
    comparedDayCount: 30,
    complete: true,
  });
  assertEquals(
    await month({ second: (flat as (number | null)[]).with(4, null) }),
    { agrees: null, disputedDays: [], comparedDayCount: 29, complete: true },
  );
  assertEquals(
    await month({ from: "2026-09-20", second: flat.slice(20).with(2, 2_000) }),
    {
      agrees: false,
      disputedDays: ["2026-09-22"],
      comparedDayCount: 11,
      complete: true,
    },
    "a series that began on the 20th has no earlier days",
  );
  assertEquals(await month({ second: flat.slice(0, 20).with(2, 2_000) }), {
    agrees: null,
    disputedDays: ["2026-09-03"],
    comparedDayCount: 19,
    complete: false,
  }, "an open month lists its disputed days");
});

Deno.test("changes are null next to an absent or incomplete month", async () => {
  using deps = await testDeps({ start: "2023-06-15T08:00:00Z" });
  const from = "2021-01-01";
  const [february, may, july] = [
    ["2021-02-01", "2021-03-01"],
    ["2021-05-07", "2021-05-08"],
    ["2021-07-01", "2021-08-01"],
  ].map((days) => days.map((day) => parseDay(day) - parseDay(from)));
  const values = Array.from({ length: 890 }, (_, index) => {
    const absent = [february, may].some((days) =>
      days![0]! <= index && index < days![1]!
    );
    const isZero = july![0]! <= index && index < july![1]!;
    return absent ? null : isZero ? 0 : 1_000;
  });
  await putSeries(deps, OURS, { from, values });
  const { series, gaps } = await ask(deps, "/monthly-transactions");
  assertEquals(gaps, [
    { from: "2021-02-01", to: "2021-02-28" },
    { from: "2021-05-07", to: "2021-05-07" },
  ]);
  assert(
    !series.some(({ day }) => day === "2021-02-01"),
    "no month is invented",
  );
  const nulls = (field: "monthOverMonthPct" | "yearOverYearPct") =>
    series.filter((item) => item[field] === null).map(({ day }) => day);
  assertEquals(nulls("monthOverMonthPct"), [
    "2021-01-01",
    "2021-03-01",
    "2021-05-01",
    "2021-06-01",
    "2021-08-01",
    "2023-06-01",
  ]);
  assertEquals(
    nulls("yearOverYearPct").filter((day) => day > "2021-12-31"),
    ["2022-02-01", "2022-05-01", "2022-07-01", "2023-06-01"],
  );
});

Deno.test("a checked series, its CSV and its chart agree with the metric on every value and on complete", async () => {
  using deps = await publishedDeps();
  const counts = history(fc.integer({ min: 1, max: 5_000 }));
  const totals = fc.constantFrom("day" as const, "month" as const);
  await fc.assert(
    fc.asyncProperty(counts, counts, totals, windows, async (
      ours,
      second,
      interval,
      window,
    ) => {
      const put = (id: SeriesId, { values, daysBehind }: History) =>
        putSeries(deps, id, {
          from: formatDay(PUBLISHED - daysBehind % 3 - values.length),
          // The newest day of the C-Chain is the newest publication.
          values: [...values, 7],
        });
      await put({ subject: C_CHAIN, metric: "txCount" }, ours);
      await put({ subject: "explorer-index", metric: "txCount" }, second);
      const app = createApp(deps);
      const read = async (path: string) => {
        const response = await app.request(`/api/chain-data${path}`);
        return await response.text();
      };
      const query = `interval=${interval}&${window}`;
      const metric: MetricsAnswer = JSON.parse(await read(`/metrics?${query}`));
      const checked: TransactionsAnswer = JSON.parse(
        await read(`/monthly-transactions?${query}`),
      );
      const values = metric.series.map(({ day, value, complete }) => [
        day,
        value,
        complete,
      ]);
      assertEquals(
        checked.series.map(({ day, txCount, complete }) => [
          day,
          txCount,
          complete,
        ]),
        values,
      );
      const [header, ...rows] = parse(
        await read(`/monthly-transactions?${query}&format=csv`),
      );
      assertEquals(header![0], "period");
      const at = (row: readonly string[], column: string) =>
        row[header!.indexOf(column)]!;
      assertEquals(
        rows.map((row) => [
          row[0],
          Number(at(row, "txCount")),
          at(row, "complete") === "true",
        ]),
        values,
      );
      const days = Object.fromEntries(new URLSearchParams(window));
      const { answer: { lines } } = await CHECKED_CHARTS[
        "monthly-transactions"
      ](deps, { interval, ...days }, { maxStaleMs: 0 });
      assertEquals(
        lines[0]!.points.map(({ day, value, complete }) => [
          day,
          value,
          complete,
        ]),
        values,
      );
    }),
    { numRuns: 60 },
  );
});

Deno.test("the checked series reject invalid parameters and name the accepted values", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const shared: [query: string, error: string][] = [
    ["range=2y", 'Invalid range "2y": expected one of 30d, 90d, 1y, all'],
    ["range=", 'Invalid range "": expected one of 30d, 90d, 1y, all'],
    ["format=xml", 'Invalid format "xml": expected one of json, csv'],
    [
      "format=json&format=csv",
      'Invalid format "json", "csv": expected one value',
    ],
    [
      "range=30d&from=2026-11-01",
      'Invalid range "30d": expected all or none together with from or to',
    ],
    [
      "range=1y&to=2026-11-01",
      'Invalid range "1y": expected all or none together with from or to',
    ],
    [
      "from=2026-02-30",
      'Invalid from "2026-02-30": expected a calendar day as YYYY-MM-DD',
    ],
    [
      "from=2026-11-02&to=2026-11-01",
      'Invalid from "2026-11-02": expected a day on or before to',
    ],
    [
      "from=2026-11-22",
      'Invalid from "2026-11-22": expected a day up to 2026-11-21',
    ],
    [
      "to=2020-09-20",
      'Invalid to "2020-09-20": expected a day from 2020-09-21 on',
    ],
  ];
  const own: Record<Path, [query: string, error: string][]> = {
    "/monthly-transactions": [
      ["interval=week", 'Invalid interval "week": expected one of month, day'],
      [
        "interval=day&interval=day",
        'Invalid interval "day", "day": expected one value',
      ],
      [
        "metric=txCount",
        'Unknown parameter "metric": expected one of interval, range, from, to, asOf, format',
      ],
      [
        "window=30",
        'Unknown parameter "window": expected one of interval, range, from, to, asOf, format',
      ],
    ],
    "/transaction-fees": [
      ["interval=week", 'Invalid interval "week": expected one of month, day'],
      [
        "chainId=43114",
        'Unknown parameter "chainId": expected one of interval, range, from, to, asOf, format',
      ],
    ],
    "/block-production": [
      ["window=10", 'Invalid window "10": expected one of 7, 30, 90'],
      ["window=30d", 'Invalid window "30d": expected one of 7, 30, 90'],
      ["window=7&window=7", 'Invalid window "7", "7": expected one value'],
      [
        "interval=day",
        'Unknown parameter "interval": expected one of window, range, from, to, asOf, format',
      ],
    ],
    "/validators": [
      [
        "interval=day",
        'Unknown parameter "interval": expected one of range, from, to, asOf, format',
      ],
      [
        "metric=validators",
        'Unknown parameter "metric": expected one of range, from, to, asOf, format',
      ],
    ],
  };
  for (const path of PATHS) {
    for (const [query, error] of [...shared, ...own[path]]) {
      await t.step(`${path}?${query}`, async () => {
        const response = await app.request(`${BASE}${path}?${query}`);
        assertEquals(response.status, 400);
        assertEquals(response.headers.get("Cache-Control"), "no-store");
        const body = await response.json();
        assertEquals(
          body.error.slice(0, error.length),
          error,
        );
        assertEquals([body.message, body.code], [body.error, "BAD_REQUEST"]);
      });
    }
  }
  assertEquals(
    Object.values(deps.upstreams).flatMap(({ calls }) => calls),
    [],
    "no upstream was asked",
  );
});
