import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { type GraphFlag } from "../../../services/model/score_terms_schema.ts";
import {
  analyzeFollowers,
  dampingOf,
  type Follower,
  isThin,
  massOf,
  sharedMassOf,
} from "../../../services/model/follower_analysis.ts";
import {
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { scoreOf } from "../../../services/model/model.ts";
import { fc } from "../../support/properties.ts";

const CLEAN = { selfDonated: false };

const analysis = (graph: Partial<GraphSignals>, profile = CLEAN) =>
  analyzeFollowers({ ...NO_GRAPH, analyzed: true, ...graph }, profile);

const flagsOf = (graph: Partial<GraphSignals>) => [
  ...analysis(graph).factors.keys(),
];

Deno.test("massOf() weighs by what a follower paid, else by a little", async (t) => {
  const cases: [Follower, paid: number, free: number][] = [
    [{ claimed: true, hasHistory: true, gasAvax: 0.05 }, 1, 0],
    [{ claimed: true, hasHistory: true, gasAvax: 9 }, 1, 0],
    [{ claimed: true, hasHistory: true, gasAvax: 0.0125 }, 0.25, 0],
    [{ claimed: false, hasHistory: true, gasAvax: 0.025 }, 0.2, 0],
    [{ claimed: true, hasHistory: null, gasAvax: 0 }, 0, 0.25],
    [{ claimed: true, hasHistory: false, gasAvax: 0 }, 0, 0.15],
    [{ claimed: false, hasHistory: null, gasAvax: 0 }, 0, 0.1],
    [{ claimed: false, hasHistory: false, gasAvax: 0 }, 0, 0.05],
  ];
  for (const [follower, paid, free] of cases) {
    await t.step(JSON.stringify(follower), () => {
      assertEquals(massOf(follower), { paid, free });
    });
  }
  const thin = cases.map(([follower]) => isThin(follower));
  assertEquals(thin, [...Array(7).fill(false), true]);
});

Deno.test("free mass counts up to a tenth of the paid mass and 1", () => {
  assertEquals(analysis({ followers: 3, freeMass: 0.75 }).mass, 0.75);
  assertEquals(analysis({ followers: 900, freeMass: 90 }).mass, 1);
  assertEquals(analysis({ paidMass: 20, freeMass: 90 }).mass, 23);
});

Deno.test("a flag needs more than half of the followers, and a few of them", async (t) => {
  const cases: [name: string, Partial<GraphSignals>, GraphFlag[]][] = [
    ["nobody", {}, []],
    ["four of four mutual", { followers: 4, mutual: 4 }, []],
    ["five of five mutual", { followers: 5, mutual: 5 }, ["follow_ring"]],
    ["five of ten mutual", { followers: 10, mutual: 5 }, []],
    ["six of ten mutual", { followers: 10, mutual: 6 }, ["follow_ring"]],
    ["six of ten in a day", { followers: 10, burst: 6 }, ["follower_burst"]],
    ["six of ten thin", { followers: 10, thin: 6 }, ["thin_followers"]],
    [
      "all at once",
      { followers: 10, thin: 10, burst: 10, mutual: 10 },
      ["follow_ring", "follower_burst", "thin_followers"],
    ],
  ];
  for (const [name, graph, flags] of cases) {
    await t.step(name, () => assertEquals(flagsOf(graph), flags));
  }
});

Deno.test("empty wallets cannot outnumber a pattern that holds most of the mass", () => {
  const ring = { mutual: 20, paidMass: 20, mutualPaidMass: 15 };
  assertEquals(flagsOf({ ...ring, followers: 1_000_000 }), ["follow_ring"]);
  const burst = { burst: 20, paidMass: 20, burstPaidMass: 15 };
  assertEquals(flagsOf({ ...burst, followers: 1_000_000 }), ["follower_burst"]);
});

Deno.test("damping follows the share of the mass that a flag concerns", async (t) => {
  const cases: [name: string, Partial<GraphSignals>, damping: number][] = [
    // Free 10 counts as 3 of 23; of it 4 are mutual, so 1.2 of 23.
    [
      "most of the mass is mutual",
      {
        followers: 40,
        mutual: 30,
        paidMass: 20,
        freeMass: 10,
        mutualPaidMass: 15,
        mutualFreeMass: 4,
      },
      0.683, // 1 − 0.45 × 16.2 / 23
    ],
    [
      "a ring of all",
      { followers: 9, mutual: 9, paidMass: 9, mutualPaidMass: 9 },
      0.55,
    ],
    [
      "a burst of all",
      { followers: 9, burst: 9, paidMass: 9, burstPaidMass: 9 },
      0.6,
    ],
    ["thin and nothing else", { followers: 9, thin: 9, freeMass: 0.45 }, 0.5],
    [
      "thin beside a large mass",
      { followers: 999, thin: 600, paidMass: 250, freeMass: 30 },
      0.9,
    ],
    [
      "many light ones in a day, beside paid ones that are not most of the mass",
      { followers: 999, burst: 600, paidMass: 250, burstPaidMass: 100 },
      0.92,
    ],
    [
      "two equal surges, of which one empty wallet makes the one the larger",
      {
        followers: 301,
        burst: 151,
        paidMass: 299,
        burstPaidMass: 150,
      },
      0.92,
    ],
    ["five without any mass", { followers: 5, mutual: 5 }, 0.91],
  ];
  for (const [name, graph, damping] of cases) {
    await t.step(name, () => {
      assertAlmostEquals(analysis(graph).damping, damping, 1e-4);
    });
  }
});

Deno.test("flags multiply, never to less than a quarter, and one can be left out", () => {
  const all = analysis({
    followers: 9,
    mutual: 9,
    burst: 9,
    thin: 9,
    freeMass: 0.45,
    mutualFreeMass: 0.45,
    burstFreeMass: 0.45,
  }, { selfDonated: true });
  assertEquals(all.damping, 0.25); // 0.55 × 0.6 × 0.5 × 0.9 is less
  assertEquals(dampingOf(all.factors, "follow_ring"), 0.27);
  assertEquals(analysis({}, { selfDonated: true }).damping, 0.9);
  assertEquals(analysis({ followers: 100, paidMass: 50 }).damping, 1);
});

Deno.test("a peak of followers that have left does not count more than those there are", () => {
  const { factors } = analysis({
    followers: 6,
    burst: 50,
    paidMass: 2,
    burstPaidMass: 40,
    freeMass: 0.2,
    burstFreeMass: 9,
  });
  assert(factors.get("follower_burst")! >= 0.6);
});

Deno.test("sharedMassOf() counts gas up to 0.05 AVAX for each of those that share a follower", () => {
  const follower = { claimed: true, hasHistory: true, gasAvax: 1 };
  const whole = sharedMassOf(follower, 1);
  const cases: [gasAvax: number, following: number, part: number][] = [
    [0.05, 1, 1],
    [0.025, 1, 0.5],
    [0.1, 4, 0.5],
    [0.1, 3, 0.5],
    [0.2, 4, 1],
    [0, 1, 0],
    [-1, 1, 0],
  ];
  for (const [gasAvax, following, part] of cases) {
    const mass = sharedMassOf({ ...follower, gasAvax }, following);
    assertAlmostEquals(mass, part * whole, 1e-12, `${gasAvax} ${following}`);
  }
  assertEquals(sharedMassOf({ ...follower, hasHistory: false }, 1), 0);
});

// The invariants 2 and 4 of the model: what followers can and cannot do to an address.

const NOW = Date.UTC(2026, 10, 21, 12);

/** So many equal followers that arrived in the same hour. */
interface Arrivals extends Follower {
  readonly count: number;
  readonly mutual: boolean;
  readonly hour: number;
}

const amount = (max: number) =>
  fc.oneof(fc.constant(0), fc.double({ min: 0, max, noNaN: true }));

const arrivals = fc.record({
  count: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.nat(400)),
  claimed: fc.boolean(),
  hasHistory: fc.constantFrom(true, true, false, null),
  gasAvax: fc.oneof(amount(0.06), fc.constant(1e-9), fc.constant(0.05)),
  mutual: fc.boolean(),
  hour: fc.oneof(fc.nat(500), fc.nat(30)),
});
/** Followers of all sorts, or two paid surges of about the same size. */
const someArrivals = fc.oneof(
  fc.array(arrivals, { maxLength: 8 }),
  fc.tuple(arrivals, fc.integer({ min: -3, max: 3 })).map(([some, more]) => {
    const paid = { ...some, hasHistory: true, gasAvax: 0.05 };
    const count = Math.max(1, some.count + more);
    return [paid, { ...paid, hour: some.hour + 24, count, mutual: false }];
  }),
);

/** Wallets that paid nothing, whatever else they do. */
const freeArrivals = fc.array(
  arrivals.map((some) => ({
    ...some,
    gasAvax: 0,
    hasHistory: some.hasHistory ?? null,
  })),
  { minLength: 1, maxLength: 4 },
);

/** Adds up followers as the store does. */
function graphOf(arrived: readonly Arrivals[]): GraphSignals {
  const sum = (some: readonly Arrivals[], each: (one: Arrivals) => number) =>
    some.reduce((total, one) => total + one.count * each(one), 0);
  const heads = () => 1;
  const paid = (one: Arrivals) => massOf(one).paid;
  const free = (one: Arrivals) => massOf(one).free;
  const mutual = arrived.filter((one) => one.mutual);
  const windows = arrived.map(({ hour: from }) =>
    arrived.filter(({ hour }) => hour >= from && hour < from + 24)
  );
  const peak = (each: (one: Arrivals) => number) =>
    Math.max(0, ...windows.map((some) => sum(some, each)));
  return {
    analyzed: true,
    followers: sum(arrived, heads),
    mutual: sum(mutual, heads),
    thin: sum(arrived.filter(isThin), heads),
    burst: peak(heads),
    paidMass: sum(arrived, paid),
    sharedPaidMass: sum(arrived, paid),
    freeMass: sum(arrived, free),
    mutualPaidMass: sum(mutual, paid),
    mutualFreeMass: sum(mutual, free),
    burstPaidMass: peak(paid),
    burstFreeMass: peak(free),
  };
}

/** Scores an address with followers and no other signals. */
const followed = (arrived: readonly Arrivals[]) =>
  scoreOf(
    {
      chain: NO_CHAIN,
      profile: NO_PROFILE,
      graph: arrived.length === 0 ? NO_GRAPH : graphOf(arrived),
      freshness: "fresh",
    },
    NOW,
    S4_2026_3,
  );

Deno.test("2: a paid, non-mutual follower outside of any burst never lowers social", () => {
  fc.assert(
    fc.property(
      someArrivals,
      fc.boolean(),
      amount(0.06),
      (arrived, claimed, gas) => {
        const lone = { count: 1, claimed, hasHistory: true, gasAvax: gas };
        const more = [...arrived, { ...lone, mutual: false, hour: 100_000 }];
        const before = followed(arrived).s4.social;
        const after = followed(more).s4.social;
        assert(after >= before, `${before} fell to ${after}`);
      },
    ),
    { numRuns: 3_000 },
  );
});

Deno.test("4: wallets that paid nothing take at most 2.6 of the composite", () => {
  fc.assert(
    fc.property(someArrivals, freeArrivals, (arrived, free) => {
      const attack = free.map((some) => ({ ...some, mutual: false }));
      const before = followed(arrived).s4.composite;
      const after = followed([...arrived, ...attack]).s4.composite;
      assert(before - after <= 2.6 + 1e-9, `${before} fell to ${after}`);
    }),
    { numRuns: 4_000 },
  );
});

Deno.test("4: they give at most 0.7, and lift no flag that rests on paid followers", () => {
  fc.assert(
    fc.property(someArrivals, freeArrivals, (arrived, free) => {
      const graph = graphOf(arrived);
      const before = followed(arrived);
      const after = followed([...arrived, ...free]);
      const gain = after.s4.composite - before.s4.composite;
      if (before.graph.flags.length === 0) {
        assert(gain <= 0.7 + 1e-9, `a gain of ${gain}`);
      }
      const peaks = [
        ["follow_ring", graph.mutualPaidMass],
        ["follower_burst", graph.burstPaidMass],
      ] as const;
      for (const [flag, paid] of peaks) {
        const rests = 2 * paid > graph.paidMass + 1;
        if (!rests || !before.graph.flags.includes(flag)) continue;
        assert(after.graph.flags.includes(flag), `${flag} is gone`);
      }
    }),
    { numRuns: 4_000 },
  );
});
