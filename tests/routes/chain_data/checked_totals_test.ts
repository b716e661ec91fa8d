import { assert, assertEquals } from "@std/assert";
import {
  askChecked as ask,
  type CheckedPath as Path,
} from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";

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
