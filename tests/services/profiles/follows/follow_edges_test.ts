import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  changePair,
  type EdgeChange,
  EMPTY_RECORD,
  type GraphRecord,
  graphSignalsOf,
  isExpiring,
  type Pair,
  weigh,
  withNonce,
  withSignals,
} from "../../../../services/profiles/follows/follow_edges.ts";
import type { Follower } from "../../../../services/model/follower_analysis.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_GRAPH,
} from "../../../../services/model/signals.ts";
import { fc } from "../../../support/properties.ts";

const AT = Date.UTC(2026, 10, 21, 8);
const WHOLE: Follower = { claimed: true, hasHistory: true, gasAvax: 1 };
const THIN: Follower = { claimed: false, hasHistory: false, gasAvax: 0 };

const strangers: Pair = {
  edge: null,
  reverse: null,
  follower: EMPTY_RECORD,
  followee: EMPTY_RECORD,
};
const FOLLOW: EdgeChange = { kind: "follow", at: AT };
const UNFOLLOW: EdgeChange = { kind: "unfollow" };
const REWEIGH: EdgeChange = { kind: "reweigh" };

const knowing = (known: Follower): GraphRecord => ({ ...EMPTY_RECORD, known });

Deno.test("withSignals() finds a history in sent transactions, and rules it out only with complete data", async (t) => {
  const cases: [name: string, Partial<ChainSignals>, boolean | null][] = [
    ["nothing sent", {}, false],
    ["something sent", { nonce: 3, firstTxAt: 9 }, true],
    ["sent, and the index is behind", { nonce: 3, isPartial: true }, true],
    ["sent, and the node is silent", { firstTxAt: 9, isPartial: true }, true],
    ["a part that shows nothing", { isPartial: true }, null],
    ["a contract account", { isContract: true }, null],
  ];
  for (const [name, signals, hasHistory] of cases) {
    await t.step(name, () => {
      const days = [{ day: 1, gasUnits: 400_000, varied: 1 }];
      // What was paid does not count.
      const chain = {
        ...NO_CHAIN,
        ...signals,
        gasAvax: 7,
        use: { count: 1, days },
      };
      const known = { hasHistory, gasAvax: 0.01 };
      assertEquals(withSignals(null, chain), { claimed: false, ...known });
      assertEquals(withSignals(WHOLE, chain), { claimed: true, ...known });
    });
  }
});

Deno.test("weigh() gains nothing when the gas of one is shared among many", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 0.05, noNaN: true }),
      fc.constantFrom(2, 10, 100),
      fc.boolean(),
      (gasAvax, many, claimed) => {
        const one = { claimed, hasHistory: true, gasAvax };
        const part = { ...one, gasAvax: gasAvax / many };
        // One more at most, where the division rounds up.
        assert(
          many * weigh(part, 1).paidWeight <= weigh(one, 1).paidWeight + 1,
        );
      },
    ),
  );
});

Deno.test("changePair() returns the same object if nothing changes", () => {
  const followed = changePair(strangers, FOLLOW);
  const cases: [Pair, EdgeChange][] = [
    [strangers, UNFOLLOW],
    [strangers, REWEIGH],
    [followed, { kind: "follow", at: AT + 1 }],
    [followed, REWEIGH],
  ];
  for (const [pair, change] of cases) {
    assertStrictEquals(changePair(pair, change), pair);
  }
});

Deno.test("isExpiring() holds for an address with neither edges nor a profile", () => {
  const { follower, followee } = changePair(strangers, FOLLOW);
  const cases: [GraphRecord, boolean][] = [
    [EMPTY_RECORD, true],
    [knowing(THIN), true],
    [knowing(WHOLE), false],
    [follower, false],
    [followee, false],
  ];
  for (const [record, expected] of cases) {
    assertEquals(isExpiring(record), expected, Deno.inspect(record));
  }
});

Deno.test("withNonce() knows that an address never sent, and not what it paid if it did", () => {
  assertEquals(withNonce(null, 0).hasHistory, false);
  assertEquals(withNonce(null, 1).hasHistory, null);
  assertEquals(withNonce(THIN, 1), { ...THIN, hasHistory: null });
  assertEquals(withNonce(WHOLE, 0), WHOLE);
});

Deno.test("graphSignalsOf() gives masses in whole followers, and the largest 24 hours", () => {
  const known = (pair: Pair, at: number) =>
    changePair({ ...pair, edge: null, follower: knowing(WHOLE) }, {
      kind: "follow",
      at,
    });
  const first = known(strangers, AT);
  const second = known(first, AT + 3_600_000);
  const third = changePair(
    { ...second, edge: null, follower: knowing(THIN) },
    { kind: "follow", at: AT + 90 * 3_600_000 },
  );
  const { freeWeight, paidWeight, sharedWeight } = third.followee;
  assertEquals([paidWeight, sharedWeight], [2e6, 2e6]);
  const peaks = Float64Array.of(7, 2, 2e6, 5e4, 9, 1, 1e6, 9e4);
  assertEquals(graphSignalsOf({ ...third.followee, peaks }), {
    ...NO_GRAPH,
    analyzed: true,
    followers: 3,
    thin: 1,
    burst: 2,
    paidMass: 2,
    sharedPaidMass: 2,
    freeMass: freeWeight / 1e6,
    burstPaidMass: 2,
    burstFreeMass: 0.09,
  });
});
