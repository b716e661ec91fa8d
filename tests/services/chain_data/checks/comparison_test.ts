import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  checkedWindow,
  compareDays,
  compareOnDay,
  compareSources,
  compareValues,
  marksOf,
  pairDays,
  roundPct,
} from "../../../../services/chain_data/checks/comparison.ts";
import { isComplete } from "../../../../services/chain_data/series/buckets.ts";
import {
  DAY_MS,
  formatDay,
  parseDay,
  startOfDay,
} from "../../../../services/platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  seriesOf,
  valueOn,
} from "../../../../services/chain_data/series/series.ts";
import { fc } from "../../../support/properties.ts";
import {
  compare,
  daysOf,
  EVER,
} from "../../../support/chain_data/agreement.ts";
import { INDEX_CHECKS } from "../../../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  type CapturedSource,
  readCaptured,
  readCapturedChains,
} from "../../../support/captured.ts";
import { seriesFrom } from "../../../support/series.ts";

Deno.test("compareDays compares no day that the second source still adds up", () => {
  const ours = seriesFrom(100, [1_000, 1_000, 1_000, 1_000]);
  const disputed = (second: DailySeries, today = 50_000) =>
    daysOf(compareDays(pairDays(ours, second, today), {
      window: EVER,
      tolerancePct: 0.5,
    }));
  const part = seriesFrom(100, [1_000, 1_000, 340]);
  assertEquals(disputed(part), []);
  assertEquals(disputed(seriesFrom(100, [1_000, 1_000, 340, 200])), [
    formatDay(102),
  ]);
  assertEquals(disputed(seriesFrom(100, [1_000, 1_000, 340, 200]), 102), []);
});

Deno.test("compareValues returns percent of our value; zero agrees only with zero", () => {
  const cases: [
    value: number,
    crossCheckValue: number,
    tolerancePct: number,
    differencePct: number | null,
    agrees: boolean,
  ][] = [
    [200, 201, 0.5, 0.5, true],
    [200, 199, 0.5, -0.5, true],
    [200, 201.001, 0.5, 0.5005, false],
    [200, 198.999, 0.5, -0.5005, false],
    [200_000, 201_000.0001, 0.5, 0.5, false],
    [200, 0, 0.5, -100, false],
    [0, 0, 0.5, 0, true],
    [0, 1, 0.5, null, false],
    [0, 0, 0, 0, true],
    [78_756, 78_756, 0, 0, true],
    [78_756, 78_757, 0, 0.0013, false],
    [100_000_000, 100_000_001, 0, 0, false],
    [3, 3 - 1e-9, 0.5, 0, true],
  ];
  for (const [value, crossCheckValue, tolerancePct, ...expected] of cases) {
    const compared = compareValues(value, crossCheckValue, tolerancePct);
    const name = `${value} and ${crossCheckValue} at ${tolerancePct} %`;
    assertEquals([compared.differencePct, compared.agrees], expected, name);
    assert(!Object.is(compared.differencePct, -0), name);
  }
});

Deno.test("compareOnDay accepts half a percent of a day, but not one block", () => {
  assertEquals(compareOnDay("stake", 200, 201).agrees, true);
  assertEquals(compareOnDay("stake", 200, 201.1).agrees, false);
  assertEquals(compareOnDay("blocks", 78_756, 78_756).agrees, true);
  assertEquals(compareOnDay("blocks", 78_756, 78_757).agrees, false);
});

Deno.test("compareDays counts every day once, and its percentages match the disputes", () => {
  const value = fc.option(
    fc.oneof(fc.constant(0), fc.integer({ min: 990, max: 1_010 })),
    { nil: null },
  );
  const series = fc.tuple(
    fc.integer({ min: 100, max: 160 }),
    fc.array(value, { maxLength: 240 }),
  ).map(([firstDay, values]) => seriesFrom(firstDay, values));
  const window = fc.tuple(
    fc.integer({ min: 90, max: 400 }),
    fc.integer({ min: 90, max: 400 }),
  ).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
  const today = fc.integer({ min: 90, max: 420 });
  fc.assert(
    fc.property(
      series,
      series,
      window,
      today,
      (ours, second, window, today) => {
        const has = (series: DailySeries, day: number) =>
          !Number.isNaN(valueOn(series, day));
        const daysOf = ({ start, end }: typeof window) =>
          Array.from({ length: end - start + 1 }, (_, at) => start + at);
        const isCompared = (day: number) =>
          isComplete(ours, day, today) && has(second, day);
        const isDisputed = (day: number) =>
          !compareValues(valueOn(ours, day), valueOn(second, day), 0.5).agrees;
        const days = daysOf(window);
        const either = days.filter((day) => has(ours, day) || has(second, day));
        const both = days.filter(isCompared);
        const agreement = compare(ours, second, { window, today });
        const { comparedDayCount, notComparedDayCount } = agreement;
        assertEquals(comparedDayCount, both.length);
        assertEquals(comparedDayCount + notComparedDayCount, either.length);
        assertEquals(agreement.checkedThrough, both.at(-1) ?? null);

        assertEquals(
          agreement.disputedDays.map(({ day }) => day),
          both.filter(isDisputed),
        );
        const share = (days: readonly number[]) => {
          const agreeing = days.filter((day) => !isDisputed(day));
          return days.length === 0
            ? null
            : roundPct(agreeing.length / days.length * 100);
        };
        assertEquals(agreement.agreementPct, share(both));
        const ever = daysOf({ start: 90, end: 420 }).filter(isCompared);
        assertEquals(agreement.recentAgreementPct, share(ever.slice(-90)));
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("roundPct rounds to four decimals and never returns negative zero", () => {
  assertAlmostEquals(roundPct(1.23456), 1.2346);
  assertAlmostEquals(roundPct(-1.23456), -1.2346);
  assert(Object.is(roundPct(-0.00001), 0));
});

// Agreement of the sources on the captured days of July 2025.

Deno.test("the captured days of July 2025", async (t) => {
  const ours = seriesOf(await readCaptured("metrics-api", 1));
  const second = seriesOf(await readCaptured("routescan-aggregations", 0));
  const today = parseDay("2025-07-09");
  const days = ["2025-07-03", "2025-07-04", "2025-07-05", "2025-07-06"];
  const figures: [value: number, crossCheckValue: number][] = [
    [1_345_570, 1_342_844],
    [1_309_091, 1_310_378],
    [1_303_694, 1_302_317],
    [1_302_496, 1_305_197],
  ];

  await t.step("four of nine are compared: ours end with a part", () => {
    const { disputedDays: _, ...rest } = compare(ours, second, { today });
    assertEquals(rest, {
      checkedThrough: parseDay("2025-07-06"),
      comparedDayCount: 4,
      notComparedDayCount: 5,
      agreementPct: 100,
      recentAgreementPct: 100,
    });
  });
  await t.step("each day agrees at 0.5 %", () => {
    assertEquals(daysOf(compare(ours, second, { today })), []);
  });
  await t.step("each day is disputed at 0.05 %, with both values", () => {
    const agreement = compare(ours, second, { today, tolerancePct: 0.05 });
    assertEquals(daysOf(agreement), days);
    assertEquals(
      agreement.disputedDays.map(({ value, crossCheckValue }) => [
        value,
        crossCheckValue,
      ]),
      figures,
    );
    assertEquals(
      agreement.disputedDays.map(({ differencePct }) => differencePct),
      [-0.2026, 0.0983, -0.1056, 0.2074],
    );
    assertEquals(agreement.agreementPct, 0);
  });
  await t.step("the sum agrees at 0.05 %", () => {
    const [sum, crossCheckSum] = [0, 1].map((side) =>
      figures.reduce((total, pair) => total + pair[side]!, 0)
    );
    assertEquals(compareValues(sum!, crossCheckSum!, 0.05), {
      differencePct: -0.0022,
      agrees: true,
    });
  });
});

Deno.test("the tolerance of addresses is above what the cut of a day explains, and below the change from day to day", async () => {
  const { txCount, activeAddresses } = INDEX_CHECKS;
  const today = parseDay("2025-07-09");
  const second = await readCapturedChains("routescan-aggregations");
  const differences: number[] = [];
  for (const [chainId, ours] of await readCapturedChains("metrics-api")) {
    const other = seriesOf(second.get(chainId) ?? []);
    for (const pair of pairDays(seriesOf(ours), other, today)) {
      const { value, crossCheckValue } = pair;
      const { tolerancePct, slack } = txCount;
      // Of smaller days, the slack is more than the tolerance.
      const isSmall = !(value! * tolerancePct / 100 > slack);
      if (!crossCheckValue || isSmall) continue;
      const { differencePct, agrees } = compareValues(
        value!,
        crossCheckValue,
        tolerancePct,
      );
      if (agrees) differences.push(Math.abs(differencePct!));
    }
  }
  const cutPct = Math.max(...differences);
  assertEquals(Math.round(100 * cutPct), 46, "percent of the transactions");
  // Of the C-Chain in the index's capture of 2025-07-09, over seven days.
  const [transactions, addresses] = [8_260_436, 2_437_354];
  const explainedPct = cutPct * 2 * transactions / addresses;
  assertEquals(Math.round(10 * explainedPct), 32, "percent of the addresses");
  assert(explainedPct < activeAddresses.tolerancePct);

  const { results } = JSON.parse(
    await Deno.readTextFile(
      new URL(
        "../../../fixtures/activeAddresses_43114_2024-08.json",
        import.meta.url,
      ),
    ),
  ) as { results: { value: number }[] };
  const changes = results.slice(1).map(({ value }, nth) =>
    compareValues(value, results[nth]!.value, activeAddresses.tolerancePct)
  );
  const seen = changes.filter(({ agrees }) => !agrees);
  assertEquals([seen.length, changes.length], [24, 29]);
});

Deno.test("of the captures of July 2025, only days are disputed that differ in their final values", async () => {
  const read = async (source: CapturedSource, captures: readonly number[]) =>
    await Promise.all(
      captures.map(async (capture) =>
        seriesOf(await readCaptured(source, capture))
      ),
    );
  const sources = [
    await read("metrics-api", [0, 1]),
    await read("routescan-aggregations", [0, 1, 2, 3]),
  ];
  /** The value of a day in the last capture that has it, where it is not the newest day. */
  const finalOf = (captures: readonly DailySeries[], day: number) =>
    valueOn(
      captures.findLast((series) =>
        !Number.isNaN(valueOn(series, day)) && day !== newestDay(series)
      ) ?? EMPTY_SERIES,
      day,
    );
  const tolerancePct = 0.5;
  let comparedDayCount = 0;
  for (const [own, other] of [[0, 1], [1, 0], [0, 0], [1, 1]] as const) {
    for (const ours of sources[own]!) {
      for (const second of sources[other]!) {
        const pairs = pairDays(ours, second, parseDay("2025-07-18"));
        const result = compareDays(pairs, { window: EVER, tolerancePct });
        comparedDayCount += result.comparedDayCount;
        for (const { day } of result.disputedDays) {
          const [value, crossCheckValue] = [own, other].map((source) =>
            finalOf(sources[source]!, day)
          );
          assert(
            !compareValues(value!, crossCheckValue!, tolerancePct).agrees,
            formatDay(day),
          );
        }
      }
    }
  }
  assertEquals(comparedDayCount, 76);
});

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

const compareWindow = (
  ours: object = {},
  second: object = {},
  more: object = {},
) =>
  compareSources(
    "transactions",
    { ours: { ...OURS, ...ours }, second: { ...SECOND, ...second } },
    { ...QUERY, ...more },
  );

Deno.test("compareSources() shows our figures, the gaps, and the days on which the sources differ", () => {
  const { tail, points, range, days, changedAt } = compareWindow();
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
  const { tail, changedAt } = compareWindow(
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
  assertEquals(compareWindow(later).changedAt, startOfDay(TODAY) + 3);
});

Deno.test("compareSources() is confirmed no earlier than our last change, so that asOf this instant repeats it", () => {
  const changedAt = startOfDay(TODAY) + 3_000;
  for (const confirmedAt of [undefined, startOfDay(TODAY) + 2_000]) {
    const { tail } = compareWindow({ confirmedAt, changedAt });
    assertEquals(tail.confirmedAt, "2026-11-06T00:00:03.000Z");
  }
});

Deno.test("compareSources() leaves out the day that grows at an earlier instant, and names the instant", () => {
  const { tail, points } = compareWindow({}, {}, {
    instant: startOfDay(TODAY),
  });
  assertEquals(points.map(({ value }) => value), [100, 200, 300]);
  assertEquals([tail.asOf, tail.lastPeriodComplete], [
    "2026-11-06T00:00:00.000Z",
    true,
  ]);
});

Deno.test("compareSources() of an empty series has no day, and begins with the chain", () => {
  const { tail, points, days } = compareWindow({ series: EMPTY_SERIES });
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
