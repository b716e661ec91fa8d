/** Which days of a source can't be true. */
import { assertEquals } from "@std/assert";
import {
  activityOf,
  judgeDays,
} from "../../../../services/chain_data/series/doubted_days.ts";
import type { SeriesId } from "../../../../services/chain_data/catalogue/series_id.ts";
import {
  EMPTY_SERIES,
  seriesOf,
} from "../../../../services/chain_data/series/series.ts";

const FEES: SeriesId = { subject: 2044, metric: "feesPaid" };
const PRICE: SeriesId = { subject: 2044, metric: "avgGasPrice" };
const PEAK: SeriesId = { subject: 2044, metric: "maxGasPrice" };
const STAKE: SeriesId = {
  subject: "primary-network",
  metric: "validatorWeight",
};
const TOTAL: SeriesId = { subject: 2044, metric: "cumulativeTxCount" };
const COUNT: SeriesId = { subject: 2044, metric: "txCount" };

const daily = (values: readonly number[], from = 100) =>
  values.map((value, nth) => ({ day: from + nth, value }));

/** Twenty days around a level. */
const around = (level: number) =>
  Array.from({ length: 20 }, (_, nth) => level * (1 + (nth % 5) / 10));

/** Returns the doubted days of a read after stored ones, each with its reason. */
const doubtedOf = (
  id: SeriesId,
  read: readonly number[],
  { stored = [], active = [], from = 100 + stored.length }: {
    stored?: readonly number[];
    active?: readonly number[];
    from?: number;
  } = {},
) =>
  judgeDays(id, daily(read, from), {
    stored: stored.length === 0 ? EMPTY_SERIES : seriesOf(daily(stored)),
    activity: active.length === 0 ? EMPTY_SERIES : seriesOf(daily(active)),
    decisions: [],
  }).map(({ day, kind }) => `${day} ${kind}`);

Deno.test("judgeDays() doubts a new day of another unit, by its neighbours", async (t) => {
  const busy = Array.from({ length: 30 }, () => 50);
  const cases: readonly [
    says: string,
    id: SeriesId,
    level: number,
    value: number,
    doubted: boolean,
    active?: readonly number[],
  ][] = [
    ["stake in AVAX instead of nAVAX", STAKE, 211e15, 211e6, true],
    ["stake that halves", STAKE, 211e15, 105e15, false],
    ["fees in nAVAX", FEES, 250, 250e9, true],
    ["fees in wei", FEES, 0.02, 0.02e18, true],
    ["fees beyond every fold", FEES, 250, 1.7e30, true],
    ["fees from wei to AVAX", FEES, 3e17, 0.3, true],
    ["fees in thousands, activity as ever", FEES, 250, 0.25, true, busy],
    ["fees in millions, activity as ever", FEES, 250, 250e6, true, busy],
    ["fees a thousand times, activity too", FEES, 250, 250e3, false, [
      ...busy.slice(0, 20),
      50_000,
    ]],
    ["fees a thousand times, activity fifty times", FEES, 250, 250e3, false, [
      ...busy.slice(0, 20),
      2_500,
    ]],
    ["fees a thousand times, activity down", FEES, 250, 250e3, true, [
      ...busy.slice(0, 20),
      1,
    ]],
    ["fees a hundred times", FEES, 250, 25_000, false, busy],
    ["fees at a fee of 1 wei instead of 25 nAVAX", FEES, 250, 1e-8 * 250, true],
    ["gas prices in nAVAX", PRICE, 25e9, 25, true],
    ["a mean price in thousandths", PRICE, 25e9, 25e12, true],
    ["one transaction pays a thousand times", PEAK, 25e9, 25e12, false],
    ["the highest price in nAVAX", PEAK, 25e9, 25, true],
    ["a day without fees", FEES, 250, 0, false],
    ["a launch: a count has no unit", COUNT, 100, 100e9, false],
  ];
  for (const [says, id, level, value, isDoubted, active = busy] of cases) {
    await t.step(says, () => {
      const kind = value > 1e18 ? "outOfRange" : "otherUnit";
      assertEquals(
        doubtedOf(id, [value], { stored: around(level), active }),
        isDoubted ? [`120 ${kind}`] : [],
      );
    });
  }
});

Deno.test("judgeDays() doubts a restated complete day, and not the newest one, which grows", () => {
  const stored = around(250);
  const read = stored.map((value) => value * 1e9);
  const doubted = doubtedOf(FEES, read, { stored, from: 100 });
  assertEquals(doubted.length, 20);
  assertEquals(doubted[3], "103 otherUnit");
  const grown = doubtedOf(FEES, [stored[19]!, 250], {
    stored: [...stored, 0.25],
    from: 119,
    active: [...stored, 250],
  });
  assertEquals(grown, []);
});

Deno.test("judgeDays() serves the first unit of a history whose unit changes, and judges no short one", () => {
  const switched = [...around(250), ...around(250).map((fee) => fee / 1e9)];
  const doubted = doubtedOf(FEES, switched);
  assertEquals(doubted.length, 20);
  assertEquals(doubted[0], "120 otherUnit");
  const launch = [1e-8, 1e-8, 2e-8, 250, 260, 270];
  assertEquals(doubtedOf(FEES, launch), []);
});

Deno.test("judgeDays() leaves a chain alone whose fees differ widely anyway", () => {
  const wide = Array.from({ length: 20 }, (_, nth) => 10 ** (nth % 4 - 2));
  assertEquals(doubtedOf(FEES, [200], { stored: wide }), []);
});

Deno.test("judgeDays() doubts a running total that falls", async (t) => {
  const stored = [10, 20, 30, 40, 50];
  const cases: readonly [
    says: string,
    read: readonly number[],
    from: number,
    doubted: readonly string[],
  ][] = [
    ["a total that grows or stands", [50, 50, 60], 104, []],
    ["a fall of the newest days", [50, 45, 46, 70], 104, [
      "105 fallingTotal",
      "106 fallingTotal",
    ]],
    ["the newest stored day, which is no floor", [45, 55], 104, []],
    ["a day restated below the one before", [20, 5, 40, 50], 101, [
      "102 fallingTotal",
    ]],
    ["a day restated above the one after", [20, 90, 40, 50], 101, [
      "102 fallingTotal",
    ]],
    ["a history that is restated whole", [5, 6, 7, 8, 9], 100, []],
    ["what falls to 0 is withdrawn", [20, 0, 40, 50], 101, []],
  ];
  for (const [says, read, from, doubted] of cases) {
    await t.step(says, () => {
      assertEquals(doubtedOf(TOTAL, read, { stored, from }), doubted);
    });
  }
});

Deno.test("judgeDays() drops one high day of a first read, not the days after it", () => {
  assertEquals(doubtedOf(TOTAL, [10, 20, 900, 30, 40]), ["102 fallingTotal"]);
});

Deno.test("judgeDays() believes what an operator accepted, but nothing out of range", () => {
  const decisions = (["otherUnit", "outOfRange"] as const).map((kind) => ({
    from: 100,
    to: 200,
    kind,
    isAccepted: true,
    by: "ada",
    at: 0,
  }));
  const judge = (value: number) =>
    judgeDays(FEES, daily([value], 120), {
      stored: seriesOf(daily(around(250))),
      activity: EMPTY_SERIES,
      decisions,
    }).length;
  assertEquals([judge(250e9), judge(250e18)], [0, 1]);
});

Deno.test("activityOf() names the count that moves with a series", () => {
  const named = [FEES, STAKE, TOTAL, COUNT, {
    subject: "explorer-index",
    metric: "feesPaid",
  }, { subject: "explorer-index/4337", metric: "feesPaid" }].map((id) =>
    activityOf(id as SeriesId)
  );
  assertEquals(named, [
    COUNT,
    { subject: "primary-network", metric: "validatorCount" },
    null,
    null,
    { subject: 43114, metric: "txCount" },
    { subject: 4337, metric: "txCount" },
  ] as (SeriesId | null)[]);
});
