import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  SOCIAL_KINDS,
  type SocialKind,
} from "../../../services/model/score_terms_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { rise } from "../../../services/model/curves.ts";
import { historyOf, S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { analyzeFollowers } from "../../../services/model/follower_analysis.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../../../services/model/signals.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

const daysAgo = (days: number) => NOON - days * DAY_MS;

/** Measures an address with only these signals. */
function measured({ chain, profile, graph }: {
  chain?: Partial<ChainSignals>;
  profile?: Partial<ProfileSignals>;
  graph?: Partial<GraphSignals>;
}) {
  const signals = {
    chain: { ...NO_CHAIN, ...chain },
    profile: { ...NO_PROFILE, ...profile },
    graph: { ...NO_GRAPH, ...graph },
  };
  const followers = analyzeFollowers(signals.graph, signals.profile);
  return S4_2026_1.summarize(signals.chain, NOON).measure(signals, followers);
}

const socials = (...kinds: SocialKind[]) =>
  kinds.map((kind) => ({ kind, verifiedAt: NOON }));

Deno.test("rise() gives nothing at 0, all from the reference on, and the logarithm between", () => {
  const curve = { points: 50, reference: 2, steepness: 99 };
  assertEquals(rise(-1, curve), 0);
  assertEquals(rise(0, curve), 0);
  assertAlmostEquals(rise(2 / 11, curve), 25); // ln 10 / ln 100
  assertEquals(rise(2, curve), 50);
  assertEquals(rise(2e9, curve), 50);
});

Deno.test("humanity: age halves what is missing to 50, socials are independent", async (t) => {
  const year = { firstTxAt: daysAgo(365), nonce: 1 };
  const cases: [name: string, Parameters<typeof measured>[0], number][] = [
    ["nothing", {}, 0],
    ["a year", { chain: year }, 25],
    ["two years", { chain: { ...year, firstTxAt: daysAgo(730) } }, 37.5],
    ["ages", { chain: { ...year, firstTxAt: daysAgo(1e5) } }, 50],
    ["x", { profile: { socials: socials("x") } }, 25],
    ["x twice", { profile: { socials: socials("x", "x") } }, 25],
    [
      "a year, x, github",
      { chain: year, profile: { socials: socials("github", "x") } },
      57.8125, // 1 − 0.75 × 0.75 × 0.75
    ],
    ["all", { profile: { socials: socials(...SOCIAL_KINDS) } }, 71.52364],
    ["a Verified Human", { profile: { verifiedHuman: 7 } }, 0],
  ];
  for (const [name, signals, points] of cases) {
    await t.step(`${name}: ${points}`, () => {
      assertAlmostEquals(measured(signals).humanity.all, points, 1e-9);
    });
  }
});

Deno.test("activity: transactions and days decay with a half-life of 180 days", async (t) => {
  const days = (...ages: number[]) => ({
    firstTxAt: daysAgo(ages.at(-1)!),
    recentTxAt: ages.map(daysAgo),
    nonce: ages.length,
  });
  const cases: [name: string, Partial<ChainSignals>, [number, number]][] = [
    ["none", {}, [0, 0]],
    ["one now", days(0), [1.1274287, 1.8626708]], // weights 1 and 1
    ["two now, one old", days(0, 0, 180), [2.6985123, 2.7314028]], // 2.5, 1.5
  ];
  for (const [name, chain, [volume, regularity]] of cases) {
    await t.step(name, () => {
      const { activity } = measured({ chain });
      assertAlmostEquals(activity.volume, volume, 1e-6);
      assertAlmostEquals(activity.regularity, regularity, 1e-6);
      assertEquals(activity.all, activity.volume + activity.regularity);
    });
  }
  await t.step(
    "300 transactions on one day fill volume, not regularity",
    () => {
      const { activity } = measured({ chain: days(...Array(300).fill(0)) });
      assertEquals(activity.volume, 55);
      assertAlmostEquals(activity.regularity, 1.8626708, 1e-6);
    },
  );
});

Deno.test("historyOf() spreads the transactions without known times evenly back to the first", () => {
  const chain = {
    ...NO_CHAIN,
    firstTxAt: daysAgo(360),
    recentTxAt: [NOON],
    nonce: 3,
  };
  // The mean of 2^(−d/180) over 360 days is 180 / ln 2 × 0.75 / 360.
  const history = historyOf(chain, NOON);
  assertAlmostEquals(history.txWeight, 1 + 2 * 0.54101064, 1e-7);
  assertAlmostEquals(history.dayWeight, 1 + 2 * 0.54101064, 1e-7);
  assertEquals([history.activeDays, history.ageDays, history.idleDays], [
    3,
    360,
    0,
  ]);
  const busy = historyOf({ ...chain, nonce: 1_000_000 }, NOON);
  assertEquals(busy.activeDays, 361, "a day counts once");
});

Deno.test("historyOf() handles missing times, a missing first transaction, and a clock that was set back", () => {
  const none = { ageDays: null, idleDays: null, activeDays: 0 };
  const { txWeight, dayWeight, ...rest } = historyOf(
    { ...NO_CHAIN, nonce: 50 },
    NOON,
  );
  assertEquals([txWeight, dayWeight, rest], [0, 0, none]);
  const onlyFirst = historyOf(
    { ...NO_CHAIN, firstTxAt: daysAgo(180), nonce: 4 },
    NOON,
  );
  assertAlmostEquals(onlyFirst.txWeight, 2, 1e-9, "four, at half");
  assertEquals(onlyFirst.activeDays, 1);
  const ahead = historyOf(
    { ...NO_CHAIN, firstTxAt: NOON + DAY_MS, nonce: 1 },
    NOON,
  );
  assertEquals([ahead.txWeight, ahead.dayWeight, ahead.ageDays], [1, 1, 0]);
});

Deno.test("social: the mass that gives 25, 50, 75 and 100", () => {
  const points = [8.5, 31, 91, 250, 1e6].map((paidMass) =>
    Math.round(measured({ graph: { paidMass } }).social.all)
  );
  assertEquals(points, [25, 50, 75, 100, 100]);
});

Deno.test("economic: gas, premium, slug and donations add up to 100", () => {
  const chain = { gasAvax: 0.5 };
  const profile = { premiumMonths: 6, paidSlug: true, donatedUsdc: 25 };
  const { economic } = measured({ chain, profile });
  assertAlmostEquals(economic.gas, 35.2694308, 1e-6); // 50 × ln 25.75 / ln 100
  assertAlmostEquals(economic.premium, 14.8072538, 1e-6); // 20 × ln 5.5 / ln 10
  assertEquals(economic.slug, 10);
  assertAlmostEquals(economic.donations, 9.0743452, 1e-6); // 20 × ln 5.9 / ln 50
  const most = { premiumMonths: 99, paidSlug: true, donatedUsdc: 1e6 };
  const { all } = measured({ chain: { gasAvax: 1e6 }, profile: most }).economic;
  assertEquals(all, 100);
});
