import { assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import type { Checks } from "../../../services/chain_data/checks/checked_series_schema.ts";
import type { Deps } from "../../../services/deps.ts";
import {
  askChecked as ask,
  BASE,
  CHECKED_PATHS as PATHS,
  type CheckedPath as Path,
} from "../../support/checked_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily } from "../../support/jobs.ts";

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

const HEAD = ["chainName", "unit", "token", "range"];
const TAIL = [
  "lastPeriodComplete",
  "gaps",
  "dataThrough",
  "fetchedAt",
  "source",
  "checks",
  "recentAgreementPct",
  "disputedDayCount",
];
const COUNTS = [
  "validators",
  "delegators",
  "validatorStake",
  "delegatorStake",
  "totalStake",
];

/** The fields of each answer and of an item of its series, in their order. */
const FIELDS: Record<Path, { answer: string[]; item: string[] }> = {
  "/monthly-transactions": {
    answer: [...HEAD, "interval", "aggregation", "series", ...TAIL],
    item: [
      "day",
      "txCount",
      "crossCheckTxCount",
      "differencePct",
      "agrees",
      "monthOverMonthPct",
      "yearOverYearPct",
      "complete",
      "comparedDayCount",
    ],
  },
  "/transaction-fees": {
    answer: [...HEAD, "interval", "aggregation", "series", ...TAIL],
    item: [
      "day",
      "feesPaid",
      "crossCheckFeesPaid",
      "differencePct",
      "agrees",
      "complete",
      "comparedDayCount",
    ],
  },
  "/block-production": {
    answer: [...HEAD, "window", "series", "samples", ...TAIL],
    item: ["day", "blocks", "meanBlockTimeSeconds", "complete"],
  },
  "/validators": {
    answer: [...HEAD, "series", "latestSnapshot", ...TAIL],
    item: [
      "day",
      ...COUNTS,
      "snapshot",
      "differencePct",
      "agrees",
      "complete",
    ],
  },
};

const SIMNET = (name: string) => `simulated (simnet in place of the ${name})`;

/** What each answer says of itself after eight days of checks. */
const FACTS: Record<Path, Record<string, unknown>> = {
  "/monthly-transactions": {
    chainName: "C-Chain",
    unit: "count",
    token: "AVAX",
    range: "all",
    interval: "month",
    aggregation: "sum",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    source: SIMNET("Avalanche Metrics API"),
    disputedDayCount: 4,
  },
  "/transaction-fees": {
    chainName: "C-Chain",
    unit: "avax",
    token: "AVAX",
    range: "all",
    interval: "month",
    aggregation: "sum",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    source: SIMNET("Avalanche Metrics API"),
    disputedDayCount: 2,
  },
  "/block-production": {
    chainName: "C-Chain",
    unit: "count",
    token: "AVAX",
    range: "all",
    window: 30,
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-19",
    source: SIMNET("explorer index"),
    disputedDayCount: 1,
  },
  "/validators": {
    chainName: "Primary Network",
    unit: "avax",
    token: "AVAX",
    range: "all",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    source: SIMNET("Avalanche Metrics API"),
    disputedDayCount: 0,
  },
};

/** What each answer says of its second source then. */
const CHECKS: Record<
  Path,
  Pick<Checks, "source" | "tolerancePct" | "checkedThrough">
> = {
  "/monthly-transactions": {
    source: SIMNET("explorer index"),
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: "2026-11-18",
  },
  "/transaction-fees": {
    source: SIMNET("explorer index"),
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: "2026-11-18",
  },
  "/block-production": {
    source: SIMNET("C-Chain RPC"),
    tolerancePct: { day: 0, month: 0 },
    checkedThrough: "2026-11-19",
  },
  "/validators": {
    source: SIMNET("P-Chain RPC"),
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: "2026-11-18",
  },
};

/** The cell that CSV has for a field; a nested one goes by its joined name. */
function cellOf(item: Record<string, unknown>, column: string): string {
  const nested = column.match(/^snapshot(.)(.*)$/);
  const value = nested
    ? (item.snapshot as Record<string, unknown> | null)
      ?.[nested[1]!.toLowerCase() + nested[2]!]
    : item[column];
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
        assertEquals(Object.keys(item), FIELDS[path].item);
      }
    });
    await t.step(
      `GET ${path} says what it is and how it was checked`,
      async () => {
        const body: Record<string, unknown> = await ask(deps, path);
        for (const [field, value] of Object.entries(FACTS[path])) {
          assertEquals(body[field], value, field);
        }
        const { checks } = await ask(deps, path);
        const { source, tolerancePct, checkedThrough } = checks;
        assertEquals({ source, tolerancePct, checkedThrough }, CHECKS[path]);
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
            : [field]
        ),
      );
      assertEquals(
        rows,
        series.map((item) => header!.map((column) => cellOf(item, column))),
      );
    });
  }

  await t.step(
    "a range counts days back from today, and from and to replace it",
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
  await t.step("the checks are those of the window", async () => {
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
    "the recent agreement is that of the newest days, whatever the window",
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

Deno.test("the checked series refuse what they do not accept, and say what they do", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const shared: [query: string, error: string][] = [
    ["range=2y", 'Invalid range "2y": expected one of 30d, 90d, 1y, all'],
    ["range=", 'Invalid range "": expected one of 30d, 90d, 1y, all'],
    ["format=xml", 'Invalid format "xml": expected one of json, csv'],
    ["format=json&format=csv", "Invalid format: given 2 times, expected once"],
    [
      "range=30d&from=2026-11-01",
      'Invalid range "30d": expected no range beside from or to',
    ],
    [
      "range=all&to=2026-11-01",
      'Invalid range "all": expected no range beside from or to',
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
        "Invalid interval: given 2 times, expected once",
      ],
      [
        "metric=txCount",
        'Unknown parameter "metric": expected one of interval, range, from, to, format',
      ],
      [
        "window=30",
        'Unknown parameter "window": expected one of interval, range, from, to, format',
      ],
    ],
    "/transaction-fees": [
      ["interval=week", 'Invalid interval "week": expected one of month, day'],
      [
        "chainId=43114",
        'Unknown parameter "chainId": expected one of interval, range, from, to, format',
      ],
    ],
    "/block-production": [
      ["window=10", 'Invalid window "10": expected one of 7, 30, 90'],
      ["window=30d", 'Invalid window "30d": expected one of 7, 30, 90'],
      ["window=7&window=7", "Invalid window: given 2 times, expected once"],
      [
        "interval=day",
        'Unknown parameter "interval": expected one of window, range, from, to, format',
      ],
    ],
    "/validators": [
      [
        "interval=day",
        'Unknown parameter "interval": expected one of range, from, to, format',
      ],
      [
        "metric=validators",
        'Unknown parameter "metric": expected one of range, from, to, format',
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

/** Notes what a database is asked while some work is done. */
async function watchKv(
  { kv }: Pick<TestDeps, "kv">,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const { list, get, getMany, set, atomic } = kv;
  Object.assign(kv, {
    async *list(...args: Parameters<typeof list>) {
      asked.push("list");
      yield* list.apply(kv, args);
      asked.push("listed");
    },
    ...Object.fromEntries(
      Object.entries({ get, getMany, set, atomic }).map(([name, call]) => [
        name,
        (...args: unknown[]) => {
          asked.push(name);
          return (call as (...args: unknown[]) => unknown).apply(kv, args);
        },
      ]),
    ),
  });
  await work();
  Object.assign(kv, { list, get, getMany, set, atomic });
  return asked;
}

Deno.test("a year of daily fees with its checks is one round trip of two lists, then none", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  await ask(deps, "/transaction-fees");
  const app = createApp(deps);
  const url = `${BASE}/transaction-fees?interval=day&range=1y`;
  const request = async () => {
    const response = await app.request(url);
    assertEquals(response.status, 200);
    assertEquals((await response.json()).series.length, 363);
  };
  assertEquals(await watchKv(deps, request), [
    "list",
    "list",
    "listed",
    "listed",
  ]);
  assertEquals(await watchKv(deps, request), [], "warm");
});
