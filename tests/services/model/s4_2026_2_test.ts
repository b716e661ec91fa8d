/**
 * The dimensions of the model `s4-2026.2`, worked out by hand from its tables. Scores
 * of one model can be compared over time, so the same evidence keeps its points.
 */
import { assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import { behaviorOf, ledShare } from "../../../services/model/behavior.ts";
import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";
import { TABLES } from "../../../services/model/s4_2026_2_tables.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { useOverTime } from "../../../services/model/use_over_time.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const TODAY = dayAt(NOW);
const ago = (days: number) => NOW - days * DAY_MS;

type Chain = ScoreSignals["chain"];
type Social = ScoreSignals["profile"]["socials"][number];

const chainOf = (
  { use = {}, ...chain }: Partial<Omit<Chain, "use">> & {
    readonly use?: Partial<Chain["use"]>;
  },
): Chain => ({ ...NO_CHAIN, ...chain, use: { ...NO_CHAIN.use, ...use } });

function s4(
  { chain = {}, profile = {}, graph = {} }: {
    readonly chain?: Parameters<typeof chainOf>[0];
    readonly profile?: Partial<ScoreSignals["profile"]>;
    readonly graph?: Partial<ScoreSignals["graph"]>;
  },
) {
  return scoreOf(
    {
      chain: chainOf(chain),
      profile: { ...NO_PROFILE, ...profile },
      graph: { ...NO_GRAPH, ...graph },
      freshness: "fresh",
    },
    NOW,
    S4_2026_2,
  ).s4;
}

const linked = (
  kind: Social["kind"],
  heldDays: number,
  account?: Social["account"],
): Social => ({
  kind,
  verifiedAt: ago(heldDays),
  ...account && { account },
});

Deno.test("humanity: half of the age counts at once, the rest over 20 months of use; accounts count as long as they are held", () => {
  const aged = (months: number, days = 300) => ({
    chain: { firstTxAt: ago(days), use: { months } },
  });
  const socials = (...socials: Social[]) => ({ profile: { socials } });
  const worker = (days: number, publicWork: number) =>
    linked("github", 180, { createdAt: ago(days), publicWork });
  const cases: [Parameters<typeof s4>[0], number][] = [
    // 0.5 × (1 − 2^(−300 / 300)) × (0.5 + 0.5 × months / 20)
    [aged(20), 25],
    [aged(40), 25],
    [aged(10), 18.8],
    [aged(0), 12.5],
    [aged(20, 600), 37.5],
    // evidence × (0.3 + 0.7 × days / 180)
    [socials(linked("domain", 180)), 36],
    [socials(linked("domain", 900)), 36],
    [socials(linked("domain", 90)), 23.4],
    [socials(linked("domain", 0)), 10.8],
    [socials(linked("x", 180)), 9],
    [socials(linked("farcaster", 180)), 9],
    [socials(linked("discord", 180)), 7],
    [socials(linked("telegram", 180)), 3],
    [socials(linked("email", 180)), 1],
    // Two accounts of one kind count as the better one.
    [socials(linked("x", 180), linked("x", 0)), 9],
    // 1 − (1 − 0.09) × (1 − 0.36)
    [socials(linked("x", 180), linked("domain", 180)), 41.8],
    // 0.55 × (0.1 + 0.3 × years / 6 + 0.6 × log(1 + 9 × work / 60) / log(10))
    [socials(linked("github", 180)), 16.5],
    [socials(worker(2_190, 60)), 55],
    [socials(worker(1_460, 0)), 16.5],
    [socials(worker(0, 0)), 5.5],
    [socials(worker(0, 20)), 25.4],
    // 1 − (1 − 0.25) × (1 − 0.36)
    [{ ...aged(20), ...socials(linked("domain", 180)) }, 52],
  ];
  for (const [signals, humanity] of cases) {
    assertEquals(s4(signals).humanity, humanity, Deno.inspect(signals));
  }
});

Deno.test("activity: days and varied transactions fade by half in 180 days, and count fully with 30 targets and 10 methods", () => {
  const used = (
    ages: readonly number[],
    { varied = 1, slots = 144, targets = 30, methods = 10 } = {},
  ) => {
    const days = ages.map((age) => ({ day: TODAY - age, gasAvax: 0, varied }));
    return { chain: { use: { days, slots, targets, methods } } };
  };
  const today = (count: number) => Array.from({ length: count }, () => 0);
  const cases: [Parameters<typeof s4>[0], number][] = [
    // 50 × log(1 + 6 × weight / 70) / log(7) + 50 × log(1 + 25 × varied / 60) / log(26)
    [used([0]), 7.5],
    [used([180]), 4],
    [used([0, 360]), 9],
    [used([0], { varied: 10 }), 27.3],
    // Failed transactions alone make no day of use.
    [used(today(100), { varied: 0 }), 0],
    [used(today(70)), 100],
    [used(today(35)), 77.8],
    // The two newest days, and two for each slot.
    [used(today(35), { slots: 4 }), 41.1],
    // 0.55 + 0.225 × log(1 + 9 × targets / 30) / log(10) + 0.225 × log(1 + 9 × methods / 10) / log(10)
    [used(today(70), { targets: 0, methods: 0 }), 55],
    [used(today(70), { targets: 10 }), 91],
    [used(today(70), { methods: 2 }), 87.6],
  ];
  for (const [signals, activity] of cases) {
    assertEquals(s4(signals).activity, activity, Deno.inspect(signals));
  }
});

Deno.test("activity: a day with failed transactions alone takes no place of a counted day", () => {
  const days = Array.from({ length: 30 }, (_, nth) => ({
    day: TODAY - nth,
    gasAvax: 0.001,
    varied: nth < 20 ? 0 : 3,
  }));
  const use = { slots: 4, targets: 30, methods: 10 };
  const overTime = (some: typeof days) =>
    useOverTime(chainOf({ use: { ...use, days: some } }), NOW, TABLES);
  const { gasWeight, ...all } = overTime(days);
  const { gasWeight: lessGas, ...used } = overTime(days.slice(20));
  assertEquals(all, used);
  assertGreater(gasWeight, lessGas);
});

Deno.test("economic: gas of a day counts up to 0.02 AVAX and fades by half in six years; purchases and donations add to it", () => {
  const burnt = (age: number, days: number, gasAvax = 0.02) => ({
    chain: {
      use: {
        days: Array.from({ length: days }, () => ({
          day: TODAY - age,
          gasAvax,
          varied: 0,
        })),
      },
    },
  });
  const cases: [Parameters<typeof s4>[0], number][] = [
    // 70 × log(1 + 750 × gas) / log(751)
    [burnt(0, 50), 70],
    [burnt(0, 500), 70],
    [burnt(0, 1), 29.3],
    [burnt(0, 1, 5), 29.3],
    [burnt(0, 1, 0.001), 5.9],
    [burnt(2_190, 50), 62.7],
    // 15 × log(1 + 3 × months / 12) / log(4)
    [{ profile: { premiumMonths: 12 } }, 15],
    [{ profile: { premiumMonths: 3 } }, 6.1],
    [{ profile: { paidSlug: true } }, 10],
    // 5 × log(1 + 9 × usdc / 1000) / log(10)
    [{ profile: { donatedUsdc: 1_000 } }, 5],
    [{ profile: { donatedUsdc: 50 } }, 0.8],
    [{
      ...burnt(0, 50),
      profile: { premiumMonths: 24, paidSlug: true, donatedUsdc: 9_000 },
    }, 100],
  ];
  for (const [signals, economic] of cases) {
    assertEquals(s4(signals).economic, economic, Deno.inspect(signals));
  }
});

Deno.test("social: a paid mass of 1,000 gives 100", () => {
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

Deno.test("the composite weighs humanity by 16, activity by 3, social by 6 and economic by 75", () => {
  const composite = (signals: Parameters<typeof s4>[0]) =>
    s4(signals).composite;
  const socials = [linked("domain", 180)];
  assertEquals(composite({ profile: { socials } }), 5.76);
  assertEquals(composite({ profile: { paidSlug: true } }), 7.5);
  const graph = { analyzed: true, followers: 5, sharedPaidMass: 1_000 };
  assertEquals(composite({ graph }), 6);
  const days = [{ day: TODAY, gasAvax: 0, varied: 1 }];
  const use = { days, slots: 144, targets: 30, methods: 10 };
  assertAlmostEquals(composite({ chain: { use } }), 0.03 * 7.5, 0.006);
});

Deno.test("wallets that act alike take up to a tenth, and own evidence and gas give it back", () => {
  const humanity = (alike: number, gasAvax = 0, socials: Social[] = []) =>
    s4({
      chain: { firstTxAt: ago(300), use: { months: 20 }, alike, gasAvax },
      profile: { socials },
    }).humanity;
  // Part: 1 / (1 + alike / 3), at least 0.9.
  assertEquals([0, 0.15, 3, 40].map((alike) => humanity(alike)), [
    25,
    23.8,
    22.5,
    22.5,
  ]);
  // Half of the evidence, or 0.5 AVAX, gives all of it back.
  assertEquals(humanity(40, 0.25), 23.8);
  assertEquals(humanity(40, 0.5), 25);
  // 1 − (1 − 0.25 × (0.9 + 0.1 × 0.36 / 0.5)) × (1 − 0.36)
  assertEquals(humanity(40, 0, [linked("domain", 180)]), 51.6);
});

Deno.test("useOverTime() spreads the transactions that are not in the summary between the first and the known ones", () => {
  const chain = chainOf({
    firstTxAt: ago(700),
    recentTxAt: [ago(3), ago(40), ago(100)],
    nonce: 63,
    use: {
      count: 3,
      days: [3, 40, 100].map((age) => ({
        day: TODAY - age,
        gasAvax: 0.01,
        varied: 1,
      })),
      months: 3,
      slots: 144,
    },
  });
  const use = useOverTime(chain, NOW, TABLES);
  // 60 transactions on 60 days between 700 and 100 days ago: 19 months.
  assertEquals([use.activeDays, use.ageDays, use.idleDays, use.months], [
    63,
    700,
    3,
    22,
  ]);
  const known = 2 ** (-3 / 180) + 2 ** (-40 / 180) + 2 ** (-100 / 180);
  const mean = (2 ** (-100 / 180) - 2 ** (-700 / 180)) /
    (Math.LN2 * 600 / 180);
  assertAlmostEquals(use.dayWeight, known + 60 * mean, 1e-9);
  assertAlmostEquals(use.variedWeight, known + 60 * mean, 1e-9);
  const gas = [3, 40, 100].map((age) => 0.01 * 2 ** (-age / 2_190));
  assertAlmostEquals(use.gasWeight, gas.reduce((a, b) => a + b), 1e-12);
  // At most three a day count of the unseen ones, and no more days than there were.
  const busy = useOverTime({ ...chain, nonce: 6_003 }, NOW, TABLES);
  assertEquals([busy.activeDays, busy.months], [3 + 600, 22]);
  assertAlmostEquals(
    busy.unbounded.variedWeight,
    known + 600 * 3 * mean,
    1e-9,
  );
});

Deno.test("ledShare() is the share of uses that another address had no later; null with fewer than four", () => {
  const uses = (count: number, day: number) =>
    behaviorOf(Array.from({ length: count }, (_, nth) => ({
      at: day * DAY_MS,
      to: `0x${nth}`,
      method: "0x01020304",
    })));
  // A window of four weeks begins on this day.
  const day = 28 * 700;
  const own = uses(200, day + 5);
  assertEquals(ledShare(own, uses(200, day)), 1);
  assertEquals(ledShare(own, own), 1);
  assertEquals(ledShare(own, uses(200, day + 6)), 0);
  assertEquals(ledShare(own, uses(200, day + 28)), 0);
  assertEquals(ledShare(own, uses(3, day)), null);
  assertEquals(ledShare(uses(3, day), own), null);
  assertEquals(ledShare(uses(0, day), own), null);
});
