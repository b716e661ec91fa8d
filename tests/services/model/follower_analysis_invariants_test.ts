/** The invariants 2 and 4 of the model: what followers can and cannot do to an address. */
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { assert } from "@std/assert";
import {
  type Follower,
  isThin,
  massOf,
} from "../../../services/model/follower_analysis.ts";
import { scoreOf } from "../../../services/model/model.ts";
import {
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";

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
