import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { GraphFlag } from "../../../services/model/score_terms_schema.ts";
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
  NO_GRAPH,
} from "../../../services/model/signals.ts";

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
