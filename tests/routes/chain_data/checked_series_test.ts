import { assertEquals } from "@std/assert";
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
