/** The overview of all chains: states, shares, changes, ages, cards, order. */
import { type SeriesCheck } from "../../../../services/chain_data/catalogue/fields_schema.ts";
import { coverageOf } from "../../../../services/chain_data/catalogue/chains_schema.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import {
  overviewOf,
  type ReadChain,
  rowsOf,
  selectChains,
  weekChangeOf,
} from "../../../../services/chain_data/overview/overview.ts";
import {
  type ChainSummary,
  NO_CHANGE,
  type NoChange,
  OverviewQuery,
} from "../../../../services/chain_data/overview/overview_schema.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
} from "../../../../services/chain_data/series/series.ts";
import { fc } from "../../../support/properties.ts";
import { seriesFrom } from "../../../support/series.ts";

const PUBLISHED = parseDay("2026-11-20");
const TODAY = PUBLISHED + 1;
const DAY = PUBLISHED - 1;
const MOMENT = { publishedDay: PUBLISHED, today: TODAY };

/** Builds a series that ends on a day. */
function endingOn(
  end: number,
  values: readonly (number | null)[],
  more: Partial<DailySeries> = {},
): DailySeries {
  const first = end - values.length + 1;
  return { ...seriesFrom(first, values), ...more };
}

function chain(
  chainId: number,
  series: DailySeries | null,
  more: Partial<ReadChain> = {},
): ReadChain {
  const names = {
    blockchainId: "b",
    chainId,
    chainName: `Chain ${chainId}`,
    token: null,
  };
  return {
    chain: names,
    txCount: series,
    coverage: coverageOf("served"),
    check: null,
    ...more,
  };
}

const days = (count: number, value: number) =>
  Array.from({ length: count }, () => value);

const C_CHAIN = chain(43114, endingOn(PUBLISHED, days(40, 900)));

/** Returns the summary of a chain beside the C-Chain. */
function summaryOf(read: ReadChain) {
  const { chains } = overviewOf([C_CHAIN, read], MOMENT);
  return chains[1]!;
}

Deno.test("overviewOf: each chain has its coverage and the term of its proof", () => {
  const check = { agreementPct: 99.82, reason: null } as SeriesCheck;
  const { chains } = overviewOf([
    C_CHAIN,
    chain(1, endingOn(PUBLISHED, days(40, 5)), { check }),
    chain(2, endingOn(PUBLISHED - 20, days(40, 5)), {
      coverage: coverageOf("stopped", "2026-11-01"),
      check: { ...check, agreementPct: 12 },
    }),
    chain(3, endingOn(PUBLISHED, days(40, 5)), {
      check: { ...check, agreementPct: null, reason: "notIndexed" },
    }),
    chain(4, null, { coverage: coverageOf("unread") }),
  ], MOMENT);
  assertEquals(
    chains.map((
      { state, since, proof, agreementPct },
    ) => [state, since, proof, agreementPct]),
    [
      ["served", null, "oneSource", null],
      ["served", null, "agree", 99.82],
      ["stopped", "2026-11-01", "differ", 12],
      ["served", null, "notIndexed", null],
      ["unread", null, "oneSource", null],
    ],
  );
});

Deno.test("overviewOf: shares are of the chains with a complete value of the C-Chain's newest complete day", () => {
  const overview = overviewOf([
    C_CHAIN,
    chain(1, endingOn(PUBLISHED, days(20, 100))),
    chain(2, endingOn(DAY, days(20, 5000))),
    chain(3, null),
  ], MOMENT);
  assertEquals(overview.day, formatDay(DAY));
  assertEquals(overview.txCount, 1000);
  assertEquals(overview.countedChainCount, 2);
  assertEquals(
    overview.chains.map(({ sharePct }) => sharePct),
    [90, 10, null, null],
  );
  const late = overview.chains[2]!;
  assertEquals([late.day, late.txCount], [formatDay(DAY - 1), 5000]);
});

Deno.test("overviewOf: a change needs fourteen complete days, and says what prevents it", () => {
  const end = PUBLISHED;
  const growing = [...days(7, 200), ...days(7, 300), 1];
  const first = end - growing.length + 1;
  const withdrawn = [{ from: first + 3, to: first + 3 }];
  const cases: [NoChange | number, DailySeries | null][] = [
    [50, endingOn(end, growing)],
    ["young", endingOn(end, growing.slice(1))],
    ["missing", seriesWithout(endingOn(end, growing), 4)],
    ["withdrawn", endingOn(end, growing, { withdrawn })],
    ["fromZero", endingOn(end, [...days(7, 0), ...days(8, 300)])],
    ["noCompleteDay", endingOn(end, [5])],
    ["idle", endingOn(end - 20, growing)],
    ["unread", null],
  ];
  for (const [expected, series] of cases) {
    const { changePct, noChange } = summaryOf(chain(1, series));
    assertEquals(noChange ?? changePct, expected);
  }
  const shown = cases.map(([expected]) => expected);
  assertEquals(
    Object.keys(NO_CHANGE).filter((why) => !shown.includes(why as NoChange)),
    [],
  );
});

function seriesWithout(series: DailySeries, slot: number): DailySeries {
  const values = Float64Array.from(series.values);
  values[slot] = NaN;
  return { ...series, values };
}

Deno.test("overviewOf: age counts from the first transaction, and an idle chain has zeroes up to a week ago", () => {
  const idle = summaryOf(chain(1, endingOn(PUBLISHED - 50, [0, 0, 4, 7])));
  assertEquals(idle.liveSince, formatDay(PUBLISHED - 51));
  assertEquals(idle.ageDays, 51);
  assertEquals([idle.day, idle.txCount], [formatDay(PUBLISHED - 7), 0]);
  assertEquals(
    idle.recent,
    days(30, 0).map((_, nth) => DAY - 29 + nth <= PUBLISHED - 7 ? 0 : null),
  );
  const activeElsewhere = PUBLISHED - 3;
  const series = endingOn(PUBLISHED - 50, [0, 0, 4, 7]);
  const stopped = summaryOf(chain(1, { ...series, activeElsewhere }));
  assertEquals(stopped.txCount, 4);
  const silent = summaryOf(chain(1, endingOn(PUBLISHED, days(9, 0))));
  assertEquals([silent.liveSince, silent.ageDays], [null, null]);
});

Deno.test("overviewOf: cards rank by the C-Chain's day, by growth from a base, and by age", () => {
  const grows = (from: number, to: number) =>
    endingOn(PUBLISHED, [...days(93, 0), ...days(7, from), ...days(7, to), 1]);
  const overview = overviewOf([
    C_CHAIN,
    chain(1, grows(100, 300)),
    chain(2, grows(99, 990)),
    chain(3, grows(400, 500)),
    chain(4, grows(500, 400)),
    chain(5, endingOn(DAY, days(200, 9999))),
    chain(6, endingOn(PUBLISHED, days(91, 1))),
    chain(7, endingOn(PUBLISHED, days(90, 1))),
  ], MOMENT);
  assertEquals(overview.mostActive, [2, 43114, 3]);
  assertEquals(overview.fastestGrowing, [1, 3]);
  // All of them had their first transaction 14 days before.
  assertEquals(overview.newlyLive, [1, 2, 3]);
  assertEquals(overviewOf([chain(6, null)], MOMENT).mostActive, []);
});

Deno.test("overviewOf: without a publication nothing is claimed", () => {
  const moment = { publishedDay: null, today: TODAY };
  const { chains: [only], txCount } = overviewOf([
    chain(1, null, { coverage: coverageOf("unread") }),
  ], moment);
  assertEquals(txCount, null);
  assertEquals([only!.state, only!.noChange], ["unread", "unread"]);
});

/** Series of many shapes: gaps, zeroes, late and idle ends. */
const anySeries = fc.record({
  late: fc.constantFrom(0, 0, 0, 1, 3, 12),
  values: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(5000) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    { minLength: 1, maxLength: 45 },
  ),
}).map(({ late, values }) => endingOn(PUBLISHED - late, values));

const anyChains = fc.array(fc.option(anySeries), { maxLength: 8 })
  .map((all) => [C_CHAIN, ...all.map((series, nth) => chain(nth + 1, series))]);

Deno.test("overviewOf: every figure comes from complete days of the series, and shares add up", () => {
  fc.assert(fc.property(anyChains, (reads) => {
    const { chains, txCount, countedChainCount } = overviewOf(reads, MOMENT);
    const shares = chains.map(({ sharePct }) => sharePct)
      .filter((share) => share !== null);
    assertEquals(shares.length, countedChainCount);
    assertAlmostEquals(shares.reduce((a, b) => a + b, 0), 100, 0.01);
    assert(txCount! > 0);
    for (const [nth, summary] of chains.entries()) {
      const { txCount: series } = reads[nth]!;
      const valueOn = (day: number) => series?.values[day - series.firstDay];
      const newest = series && series.firstDay + series.values.length - 1;
      for (const [slot, value] of summary.recent.entries()) {
        const day = DAY - 29 + slot;
        const isInferred = newest === null || day > newest;
        if (value !== null) assertEquals(value, isInferred ? 0 : valueOn(day));
        else if (newest !== null && day < newest) {
          assert(Number.isNaN(valueOn(day) ?? NaN));
        }
      }
      assertEquals(summary.changePct === null, summary.noChange !== null);
      if (summary.changePct === null) continue;
      const end = parseDay(summary.day!);
      const week = (to: number) =>
        days(7, 0).map((_, back) => valueOn(to - back) ?? 0)
          .reduce((a, b) => a + b, 0);
      assertAlmostEquals(
        summary.changePct,
        (week(end) / week(end - 7) - 1) * 100,
        0.001,
      );
    }
  }));
});

Deno.test("a chain with one transaction, or growth below one percent, can lead a card", () => {
  const small = chain(7, endingOn(PUBLISHED, days(40, 1)));
  const growing = chain(
    8,
    endingOn(PUBLISHED, [...days(33, 1_000), ...days(8, 1_005)]),
  );
  const { mostActive, fastestGrowing } = overviewOf(
    [small, growing],
    MOMENT,
  );
  assertEquals(
    [mostActive, fastestGrowing],
    [[], []],
    "no day without the C-Chain",
  );
  const found = overviewOf([C_CHAIN, small, growing], MOMENT);
  assertEquals(found.mostActive, [8, 43114, 7]);
  assertEquals(found.fastestGrowing, [8]);
});

// The table of chains: what a query selects, and in which order.

const summary = (
  chainId: number,
  chainName: string,
  more: Partial<ChainSummary> = {},
): ChainSummary => ({
  chainId,
  chainName,
  token: null,
  state: "served",
  since: null,
  proof: "oneSource",
  agreementPct: null,
  day: null,
  txCount: null,
  changePct: null,
  noChange: null,
  sharePct: null,
  liveSince: null,
  ageDays: null,
  recent: [],
  ...more,
});

const CHAINS = [
  summary(5, "L1 10", { recent: [9, 3], changePct: -2, token: "GUN" }),
  summary(4, "l1 9", { recent: [1, 7], changePct: 5, ageDays: 4 }),
  summary(3, "Beta", { recent: [5, null], sharePct: 1, state: "late" }),
  summary(2, "Alpha", { recent: [2, 7], changePct: 0, sharePct: 40 }),
  summary(1, "Alpha", { state: "unread", ageDays: 90 }),
];

const ids = (query: Partial<OverviewQuery>) =>
  selectChains(rowsOf(CHAINS, null), {
    sort: "name",
    q: "",
    state: undefined,
    ...query,
  })
    .map(({ chainId }) => chainId);

Deno.test("selectChains() sorts by each key in both directions, absent values last and equal ones by name and id", () => {
  const cases: [sort: OverviewQuery["sort"], ids: number[]][] = [
    ["name", [1, 2, 3, 4, 5]],
    ["-name", [5, 4, 3, 1, 2]],
    ["value", [5, 2, 4, 1, 3]],
    ["-value", [2, 4, 5, 1, 3]],
    ["change", [5, 2, 4, 1, 3]],
    ["-change", [4, 2, 5, 1, 3]],
    ["share", [3, 2, 1, 4, 5]],
    ["-share", [2, 3, 1, 4, 5]],
    ["age", [4, 1, 2, 3, 5]],
    ["-age", [1, 4, 2, 3, 5]],
    ["state", [3, 2, 4, 5, 1]],
    ["-state", [1, 2, 4, 5, 3]],
  ];
  for (const [sort, expected] of cases) {
    assertEquals(ids({ sort }), expected, sort);
  }
});

Deno.test("selectChains() finds a part of a name, a whole token or a whole id, in any case", () => {
  const cases: [q: string, ids: number[]][] = [
    ["", [1, 2, 3, 4, 5]],
    ["L1", [4, 5]],
    ["alp", [1, 2]],
    ["gun", [5]],
    ["gu", []],
    ["3", [3]],
    ["5", [5]],
    ["9", [4]],
    ["none", []],
  ];
  for (const [q, expected] of cases) assertEquals(ids({ q }), expected, q);
  assertEquals(ids({ state: "late" }), [3]);
  assertEquals(ids({ state: "served", q: "alpha" }), [2]);
});

// The change over a week: its exact figure, and each reason for having none.

const FIRST = 20_000;

/** A closed series of these values. */
const series = (
  values: readonly number[],
  more: Partial<DailySeries> = {},
): DailySeries => ({
  firstDay: FIRST,
  values: Float64Array.from(values),
  isClosed: true,
  ...more,
});

const weeks = (before: number, after: number) => [
  ...Array<number>(7).fill(before),
  ...Array<number>(7).fill(after),
];

const AFTER_TWO_WEEKS = FIRST + 14;

const changeOf = (
  of: DailySeries,
  fold: "mean" | "last" | "sum" = "mean",
  today = AFTER_TWO_WEEKS,
) => weekChangeOf(of, { fold, today });

Deno.test("weekChangeOf() compares the last seven complete days with the seven before", () => {
  const change = (changePct: number, from: number) => ({
    changePct,
    noChange: null,
    from,
  });
  assertEquals(changeOf(series(weeks(8, 10))), change(25, 8));
  assertEquals(changeOf(series(weeks(8, 10)), "sum"), change(25, 56));
  const days = Array.from({ length: 14 }, (_, nth) => nth + 1);
  assertEquals(changeOf(series(days)), change(175, 4));
  assertEquals(changeOf(series(days), "last"), change(100, 7));
  // The newest day of an open series, and today, are not complete.
  const open = series([5, ...days, 99], {
    isClosed: false,
    firstDay: FIRST - 1,
  });
  assertEquals(changeOf(open, "last"), change(100, 7));
  const withToday = series([5, ...days, 99], { firstDay: FIRST - 1 });
  assertEquals(changeOf(withToday, "last"), change(100, 7));
});

Deno.test("weekChangeOf() says why there is no change", () => {
  const gap = weeks(1, 2).with(3, NaN);
  const withdrawn = (day: number) => [{ from: FIRST + day, to: FIRST + day }];
  const cases: [of: DailySeries, reason: string][] = [
    [EMPTY_SERIES, "noCompleteDay"],
    [series([1], { isClosed: false }), "noCompleteDay"],
    [series(weeks(1, 2).slice(1)), "young"],
    [series(gap), "missing"],
    [series(weeks(1, 2), { withdrawn: withdrawn(0) }), "withdrawn"],
    [series(weeks(1, 2), { withdrawn: withdrawn(13) }), "withdrawn"],
    [series(weeks(0, 2)), "fromZero"],
  ];
  for (const [of, noChange] of cases) {
    assertEquals(
      changeOf(of),
      { changePct: null, noChange, from: null } as never,
    );
  }
  const older = series([9, ...weeks(1, 2)], {
    firstDay: FIRST - 1,
    withdrawn: [{ from: FIRST - 1, to: FIRST - 1 }],
  });
  assertEquals(changeOf(older).changePct, 100);
});
