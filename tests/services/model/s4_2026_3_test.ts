/**
 * The parts of the model `s4-2026.3`, worked out by hand from its tables. Scores of
 * one model can be compared over time, so the same evidence keeps its points.
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import {
  countedGas,
  monthsOf,
  originOf,
  S4_2026_3,
} from "../../../services/model/s4_2026_3.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { TIER_IDS } from "../../../services/model/score_terms_schema.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const TODAY = dayAt(NOW);
const ago = (days: number) => NOW - days * DAY_MS;

type Social = ScoreSignals["profile"]["socials"][number];

interface Known {
  readonly chain?: Partial<ScoreSignals["chain"]>;
  readonly profile?: Partial<ScoreSignals["profile"]>;
  readonly graph?: Partial<ScoreSignals["graph"]>;
}

const read = ({ chain, profile, graph }: Known) =>
  scoreOf(
    {
      chain: { ...NO_CHAIN, ...chain },
      profile: { ...NO_PROFILE, ...profile },
      graph: { ...NO_GRAPH, ...graph },
      freshness: "fresh",
    },
    NOW,
    S4_2026_3,
  );

const s4 = (known: Known) => read(known).s4;

/** Days of use so many days ago. */
const used = (
  ages: readonly number[],
  { varied = 1, gasUnits = 0 } = {},
): Known => ({
  chain: {
    use: {
      count: ages.length * varied,
      days: ages.map((age) => ({ day: TODAY - age, gasUnits, varied })),
    },
  },
});

const linked = (
  kind: Social["kind"],
  heldDays: number,
  account?: Social["account"],
): Social => ({
  kind,
  verifiedAt: ago(heldDays),
  ...account && { account },
});

const monthly = (months: number) =>
  Array.from({ length: months }, (_, nth) => 30 * nth);

Deno.test("humanity: age, months of use, accounts as long as they are held, and the best proof", () => {
  const socials = (...socials: Social[]): Known => ({ profile: { socials } });
  const worker = (days: number, publicWork: number) =>
    linked("github", 180, { createdAt: ago(days), publicWork });
  const proven = (...proofs: ScoreSignals["profile"]["proofs"]): Known => ({
    profile: { proofs },
  });
  const cases: [Known, number][] = [
    // 0.3 × (1 − 2^(−days / 730))
    [{ chain: { firstTxAt: ago(730) } }, 15],
    [{ chain: { firstTxAt: ago(1_460) } }, 22.5],
    // 0.4 × months / (months + 12)
    [used(monthly(1)), 3.1],
    [used(monthly(12)), 20],
    [used(monthly(36)), 30],
    // evidence × (0.3 + 0.7 × days / 180)
    [socials(linked("domain", 180)), 25],
    [socials(linked("domain", 900)), 25],
    [socials(linked("domain", 45)), 11.9],
    [socials(linked("domain", 0)), 7.5],
    [socials(linked("farcaster", 180)), 15],
    [socials(linked("x", 180)), 12],
    [socials(linked("discord", 180)), 8],
    [socials(linked("telegram", 180)), 5],
    [socials(linked("email", 180)), 2],
    // Two accounts of one kind count as the better one.
    [socials(linked("x", 180), linked("x", 0)), 12],
    // 1 − (1 − 0.12) × (1 − 0.25)
    [socials(linked("x", 180), linked("domain", 180)), 34],
    // 0.45 × (0.1 + 0.5 × years / 6 + 0.4 × log(1 + 9 × work / 60) / log(10))
    [socials(linked("github", 180)), 13.5],
    [socials(worker(2_190, 60)), 45],
    [socials(worker(1_095, 0)), 15.7],
    [socials(worker(0, 0)), 4.5],
    [socials(worker(0, 20)), 15.3],
    // The best proof, by its strength.
    [proven({ kind: "worldId", strength: 1, until: Infinity }), 50],
    [
      proven(
        { kind: "passport", strength: 0.5, until: NOW + 1 },
        { kind: "coinbase", strength: 0.2, until: NOW + 1 },
      ),
      17.5,
    ],
    // It ends at its instant.
    [proven({ kind: "worldId", strength: 1, until: NOW }), 0],
    // 1 − (1 − 0.15) × (1 − 0.25) × (1 − 0.5)
    [{
      chain: { firstTxAt: ago(730) },
      profile: {
        socials: [linked("domain", 180)],
        proofs: [{ kind: "worldId", strength: 1, until: Infinity }],
      },
    }, 68.1],
  ];
  for (const [signals, humanity] of cases) {
    assertEquals(s4(signals).humanity, humanity, Deno.inspect(signals));
  }
});

Deno.test("monthsOf() counts the time between days of use, at most a month each, wherever a month begins", () => {
  const days = (...ages: number[]) =>
    ages.map((age) => ({ day: TODAY - age, gasUnits: 0, varied: 1 }));
  assertEquals(monthsOf([]), 0);
  assertEquals(monthsOf(days(5)), 1);
  assertEquals(monthsOf(days(0, 1)), 1 + 1 / 30);
  assertEquals(monthsOf(days(0, 30, 400)), 3);
  assertEquals(monthsOf(days(0, 15, 30)), 2);
  const failed = { day: TODAY - 20, gasUnits: 1, varied: 0 };
  assertEquals(monthsOf([...days(0), failed, ...days(45)]), 2);
});

Deno.test("activity: days and transactions fade by half in 180 days", () => {
  const cases: [Known, number][] = [
    // 50 × weight / (weight + 180) + 50 × log(1 + 9 × varied / 1000) / log(10)
    [used(Array(180).fill(0)), 45.9],
    [used(Array(180).fill(180)), 29.6],
    [used([0]), 0.5],
    [used([0], { varied: 1_000 }), 50.3],
    // Failed transactions alone make no day of use.
    [used(Array(180).fill(0), { varied: 0 }), 0],
  ];
  for (const [signals, activity] of cases) {
    assertEquals(s4(signals).activity, activity, Deno.inspect(signals));
  }
});

Deno.test("transactions that were not seen are spread between the first and the known ones", () => {
  const known = {
    ...used([0]).chain,
    firstTxAt: ago(360),
    recentTxAt: [NOW],
    nonce: 1,
  };
  const { activity, humanity } = s4({ chain: known });
  const more = s4({ chain: { ...known, nonce: 200 } });
  assertEquals([activity, more.activity], [0.5, 33.6]);
  // Eleven months more: 0.4 × (12 / 24 − 1 / 13).
  assertAlmostEquals(more.humanity - humanity, 16.9, 0.1);
});

Deno.test("economic: gas of a day counts up to a million units, and never fades", () => {
  const cases: [Known, number][] = [
    // 84 × log(1 + 9 × units / 200 M) / log(10)
    [used(Array(200).fill(0), { gasUnits: 1e6 }), 84],
    [used(Array(200).fill(3_000), { gasUnits: 9e6 }), 84],
    [used([0], { gasUnits: 1e6 }), 1.6],
    [used([0], { gasUnits: 5e6 }), 1.6],
    [used(Array(20).fill(0), { gasUnits: 1e6 }), 23.4],
    // 7 × log(1 + 3 × months / 12) / log(4)
    [{ profile: { premiumMonths: 12 } }, 7],
    [{ profile: { premiumMonths: 3 } }, 2.8],
    [{ profile: { paidSlug: true } }, 3],
    // 6 × log(1 + 9 × usdc / 1000) / log(10)
    [{ profile: { donatedUsdc: 1_000 } }, 6],
    [{ profile: { donatedUsdc: 50 } }, 1],
  ];
  for (const [signals, economic] of cases) {
    assertEquals(s4(signals).economic, economic, Deno.inspect(signals));
  }
  assertEquals(
    countedGas(used([0, 1], { gasUnits: 3e6 }).chain!.use!.days),
    2e6,
  );
});

Deno.test("social: a paid mass of 1,000 gives 100, and damping reduces it", () => {
  const social = (sharedPaidMass: number) =>
    s4({ graph: { analyzed: true, followers: 5, sharedPaidMass } }).social;
  // 100 × log(1 + 30 × mass / 1000) / log(31)
  assertEquals([0, 10, 100, 1_000, 5_000].map(social), [
    0,
    7.6,
    40.4,
    100,
    100,
  ]);
});

Deno.test("what was received before the first use: payers that count, and the wait", () => {
  const of = (...amounts: number[]) => originOf(amounts, 3).payers;
  assertEquals(originOf([1], 3), { payers: 1, delayDays: 3 });
  // A transfer's cost at least, and a hundredth of all.
  assertEquals(of(0.001, 0.000525, 0.0005), 2);
  assertEquals(of(98, 1, 0.9), 2);
  assertEquals(of(1, ...Array(1_000).fill(0.0001)), 1);
});

Deno.test("a risk of the origin lowers walletAge by at most 2.5 points, the stronger one alone, and says so from 1.2 on", () => {
  const chain = { ...used(monthly(36)).chain, firstTxAt: ago(1_460) };
  const clean = read({ chain });
  const cases: [Partial<ScoreSignals["chain"]>, number, string[]][] = [
    [{ origin: { payers: 1, delayDays: 900 } }, 0, []],
    [{ origin: { payers: 9, delayDays: 0 } }, 0, []],
    // 2.5 × 1 / 2.5 × 1 / 1.25
    [{ origin: { payers: 2, delayDays: 1 } }, 0.8, []],
    [{ origin: { payers: 4, delayDays: 1 } }, 1.33, ["COLLECTED_BEFORE_USE"]],
    [{ origin: { payers: 999, delayDays: 999 } }, 2.5, [
      "COLLECTED_BEFORE_USE",
    ]],
    [{ alike: 1 }, 0, []],
    [{ alike: 2 }, 1.25, ["SHARED_FUNDER"]],
    [{ alike: 1_000, origin: { payers: 4, delayDays: 1 } }, 2.5, [
      "SHARED_FUNDER",
    ]],
  ];
  for (const [before, points, codes] of cases) {
    const risky = read({ chain: { ...chain, ...before } });
    const name = Deno.inspect(before);
    const lost = clean.breakdown.walletAge - risky.breakdown.walletAge;
    assertAlmostEquals(lost, points, 0.04, name);
    const reasons = risky.explanation.reasons.map(({ code }) => code)
      .filter((code) =>
        code === "COLLECTED_BEFORE_USE" || code === "SHARED_FUNDER"
      );
    assertEquals(reasons, codes, name);
  }
  // A proof shows what age would: less is lost.
  const profile = {
    proofs: [{ kind: "worldId", strength: 1, until: Infinity }],
  } as const;
  const [one, other] = [{}, { alike: 1_000 }].map((before) =>
    s4({ chain: { ...chain, ...before }, profile }).composite
  );
  assertAlmostEquals(one! - other!, 1.25, 0.04);
});

Deno.test("the composite weighs humanity by 35, activity by 20, social by 15 and economic by 30, and what both age and accounts show is shared", () => {
  const { s4: { composite }, breakdown } = read({
    chain: { firstTxAt: ago(730) },
    profile: { socials: [linked("domain", 180)] },
    graph: { analyzed: true, followers: 5, sharedPaidMass: 1_000 },
  });
  // 0.35 × 36.3 + 0.15 × 100
  assertAlmostEquals(composite, 27.71, 0.02);
  // 35 × (0.15 − 0.15 × 0.25 / 2), 35 × (0.25 − 0.15 × 0.25 / 2)
  assertAlmostEquals(breakdown.walletAge, 4.6, 0.02);
  assertAlmostEquals(breakdown.verifiedSocials, 8.1, 0.02);
  assertAlmostEquals(breakdown.followers, 15, 0.02);
});

Deno.test("every tier is reached without anything that the service sells, and without donations", () => {
  const daily = (years: number, share: number) =>
    Array.from({ length: years * 365 }, (_, day) => day)
      .filter((day) => day * share % 1 < share);
  const person = (ages: readonly number[], known: Known = {}): Known => ({
    ...known,
    chain: {
      ...used(ages, { varied: 3, gasUnits: 400_000 }).chain,
      firstTxAt: ago(ages.at(-1) ?? 0),
      recentTxAt: ages.map(ago),
    },
  });
  const profile = {
    claimed: true,
    socials: [
      linked("github", 400, { createdAt: ago(3_000), publicWork: 80 }),
      linked("domain", 400),
      linked("x", 400),
      linked("farcaster", 400),
    ],
  };
  const graph = { analyzed: true, followers: 300, sharedPaidMass: 300 };
  const tiers = [
    person([]),
    person([0, 20, 40, 60, 80]),
    person(daily(1, 0.1)),
    person(daily(2, 0.3)),
    person(daily(4, 0.7)),
    person(daily(4, 0.7), { profile, graph }),
  ].map((known) => read(known).tier);
  assertEquals(tiers, [...TIER_IDS]);
});

Deno.test("the weights are between 15 and 40 percent, and add up to 100", () => {
  const weights = Object.values(S4_2026_3.weights);
  assertEquals(weights.filter((weight) => weight < 15 || weight > 40), []);
  assertEquals(weights.reduce((sum, weight) => sum + weight), 100);
});
