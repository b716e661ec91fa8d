/** The comparison of two sources over the window of a query. */
import { assertEquals } from "@std/assert";
import {
  checkedWindow,
  compareSources,
  marksOf,
} from "../../../../services/chain_data/checks/checks.ts";
import { EMPTY_SERIES } from "../../../../services/chain_data/series/series.ts";
import {
  DAY_MS,
  formatDay,
  parseDay,
  startOfDay,
} from "../../../../services/platform/days.ts";
import { seriesFrom } from "../../../support/series.ts";

const FIRST = parseDay("2026-11-01");
const TODAY = FIRST + 5;
const QUERY = {
  query: { range: "all" },
  interval: "day",
  today: TODAY,
} as const;

const daily = (...values: (number | null)[]) => seriesFrom(FIRST, values);

const OURS = {
  series: daily(100, 200, null, 300, 50),
  source: "ours",
  fetchedAt: startOfDay(TODAY) + 1_000,
  changedAt: 5,
};

const SECOND = {
  series: daily(100, 250, 7, 300, 50),
  source: "second",
  fetchedAt: null,
  changedAt: null,
};

const compare = (ours: object = {}, second: object = {}, more: object = {}) =>
  compareSources(
    "transactions",
    { ours: { ...OURS, ...ours }, second: { ...SECOND, ...second } },
    { ...QUERY, ...more },
  );

Deno.test("compareSources() shows our figures, the gaps, and the days on which the sources differ", () => {
  const { tail, points, range, days, changedAt } = compare();
  assertEquals(points.map(({ value }) => value), [100, 200, 300, 50]);
  assertEquals([range, days], ["all", {
    from: formatDay(FIRST),
    to: formatDay(TODAY),
  }]);
  assertEquals(changedAt, startOfDay(TODAY));
  assertEquals(tail, {
    lastPeriodComplete: false,
    gaps: [{ from: "2026-11-03", to: "2026-11-03" }],
    dataThrough: "2026-11-04",
    fetchedAt: "2026-11-06T00:00:01.000Z",
    confirmedAt: "2026-11-06T00:00:01.000Z",
    source: "ours",
    checks: {
      source: "second",
      fetchedAt: null,
      tolerancePct: { day: 0.5, month: 0.05 },
      checkedThrough: "2026-11-04",
      comparedDayCount: 3,
      notComparedDayCount: 2,
      agreementPct: 66.6667,
      disputedDays: [{
        day: "2026-11-02",
        value: 200,
        crossCheckValue: 250,
        differencePct: 25,
      }],
      withdrawnDays: [],
    },
    recentAgreementPct: 66.6667,
    disputedDayCount: 1,
  });
});

Deno.test("compareSources() shows when the second source was read, and what it withdraws", () => {
  const withdrawn = [{ from: FIRST + 3, to: FIRST + 4 }];
  const { tail, changedAt } = compare(
    {
      confirmedAt: startOfDay(TODAY) + 2_000,
      changedAt: startOfDay(TODAY) + 1,
    },
    {
      fetchedAt: DAY_MS,
      changedAt: startOfDay(TODAY) + 2,
      series: { ...SECOND.series, withdrawn },
    },
  );
  assertEquals(changedAt, startOfDay(TODAY) + 2);
  assertEquals(tail.confirmedAt, "2026-11-06T00:00:02.000Z");
  assertEquals(tail.checks.fetchedAt, "1970-01-02T00:00:00.000Z");
  assertEquals(tail.checks.withdrawnDays, [
    { from: "2026-11-04", to: "2026-11-05" },
  ]);
  const later = { changedAt: startOfDay(TODAY) + 3 };
  assertEquals(compare(later).changedAt, startOfDay(TODAY) + 3);
});

Deno.test("compareSources() is confirmed no earlier than our last change, so that asOf this instant repeats it", () => {
  const changedAt = startOfDay(TODAY) + 3_000;
  for (const confirmedAt of [undefined, startOfDay(TODAY) + 2_000]) {
    const { tail } = compare({ confirmedAt, changedAt });
    assertEquals(tail.confirmedAt, "2026-11-06T00:00:03.000Z");
  }
});

Deno.test("compareSources() leaves out the day that grows at an earlier instant, and names the instant", () => {
  const { tail, points } = compare({}, {}, { instant: startOfDay(TODAY) });
  assertEquals(points.map(({ value }) => value), [100, 200, 300]);
  assertEquals([tail.asOf, tail.lastPeriodComplete], [
    "2026-11-06T00:00:00.000Z",
    true,
  ]);
});

Deno.test("compareSources() of an empty series has no day, and begins with the chain", () => {
  const { tail, points, days } = compare({ series: EMPTY_SERIES });
  assertEquals([points, tail.dataThrough, tail.lastPeriodComplete], [
    [],
    null,
    false,
  ]);
  assertEquals(tail.checks.checkedThrough, null);
  assertEquals(days.from, "2020-09-21");
  const window = checkedWindow(EMPTY_SERIES, QUERY);
  assertEquals(formatDay(window.start), "2020-09-21");
  assertEquals(checkedWindow(OURS.series, QUERY).start, FIRST);
});

Deno.test("marksOf() keeps the marks that a bucket has", () => {
  assertEquals(marksOf({}), {});
  const disputed = "withdrawn";
  const revisedAt = "2026-11-06T00:00:00.000Z";
  assertEquals(marksOf({ disputed }), { disputed });
  assertEquals(marksOf({ revisedAt }), { revisedAt });
});
