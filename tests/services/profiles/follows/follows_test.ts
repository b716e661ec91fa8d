/** Following and importing follows, and the weight of a follower in a score. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Failure, Fault } from "../../../../services/platform/fault.ts";
import {
  type ChainSignals,
  NO_PROFILE,
} from "../../../../services/model/signals.ts";
import {
  follow,
  importFollows,
  reweighFollower,
} from "../../../../services/profiles/follows/follows.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { atOnce, daily, scoreFollowed } from "../../../support/follows.ts";
import {
  addressOf,
  assertRecount,
  claim,
  know,
  others,
  paid,
} from "../../../support/graph.ts";
import { breakKv, DISK_ERROR } from "../../../support/kv/faulty_kv.ts";
import { type GraphFlag } from "../../../../services/model/score_terms_schema.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { fc } from "../../../support/properties.ts";
import { deleteProfile } from "../../../../services/profiles/profiles.ts";
import { assertSound } from "../../../support/kv/invariants.ts";

const [A, B] = [addressOf(1), addressOf(2)] as const;

function assertFault(error: unknown): Failure {
  assert(error instanceof Fault, String(error));
  return error.failure;
}

Deno.test("follow() makes no upstream calls", async () => {
  using deps = await testDeps();
  await know(deps, [A], paid(0.05));
  await follow(deps, { follower: A, followee: B });
  const { explorer, cChainRpc } = deps.upstreams;
  assertEquals(explorer.calls.length + cChainRpc.calls.length, 0);
});

Deno.test("a follower's weight comes from its stored signals", async (t) => {
  const whole = { paidMass: 1, freeMass: 0, thin: 0 };
  const cases: [
    name: string,
    chain: Partial<ChainSignals> | null,
    claimed: boolean,
    object,
  ][] = [
    ["claimed, with gas of its own", paid(0.05), true, whole],
    ["unclaimed", paid(0.05), false, { ...whole, paidMass: 0.4 }],
    ["claimed, never read", null, true, { paidMass: 0, freeMass: 0.25 }],
    ["claimed, without history", {}, true, { freeMass: 0.15, thin: 0 }],
    ["unclaimed, never read", null, false, { freeMass: 0.1, thin: 0 }],
    ["unclaimed, without history", {}, false, { freeMass: 0.05, thin: 1 }],
  ];
  for (const [name, chain, claimed, expected] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps();
      if (claimed) await claim(deps, [A]);
      if (chain) await know(deps, [A], chain);
      await follow(deps, { follower: A, followee: B });
      const graph = await deps.store.follows.findGraph(B);
      assertEquals({ ...graph, ...expected }, graph);
    });
  }
});

Deno.test("importFollows() adds each edge once, from 1970 until now, and says why it refuses others", async () => {
  using deps = await testDeps();
  const now = deps.now().getTime();
  const edges = daily(deps, others(300).map((each) => [each, A]));
  const twice = { ...edges[0]!, at: now };
  const batch = [
    { follower: A, followee: A, at: now },
    ...edges,
    twice,
    { follower: A, followee: B, at: now + 1 },
    { follower: A, followee: B, at: -1 },
    { follower: A, followee: B, at: NaN },
    { follower: B, followee: A, at: 0 },
    { follower: B, followee: addressOf(3), at: now },
  ];
  const refused = [
    { index: 0, reason: "an address cannot follow itself" },
    { index: 302, reason: "the time is later than now" },
    { index: 303, reason: "the time is before 1970" },
    { index: 304, reason: "the time is before 1970" },
  ];
  assertEquals(
    await importFollows(deps, batch),
    { added: 302, unchanged: 1, refused },
  );
  assertEquals(await assertRecount(deps.kv), 302);
  const before = await deps.store.follows.find(A);
  assertEquals(
    await importFollows(deps, batch),
    { added: 0, unchanged: 303, refused },
  );
  assertEquals(await deps.store.follows.find(A), before);
});

Deno.test("importFollows() completes an interrupted import when repeated", async () => {
  using deps = await testDeps();
  const edges = daily(deps, others(400).map((each) => [each, A]));
  const faults = breakKv(deps.kv);
  faults.failingWrite = 3;
  await assertRejects(() => importFollows(deps, edges), Error, DISK_ERROR);
  const half = await assertRecount(deps.kv);
  assert(half > 100 && half < 400, `${half} edges`);
  const { added, unchanged } = await importFollows(deps, edges);
  assertEquals([added, unchanged], [400 - half, half]);
  assertEquals(await assertRecount(deps.kv), 400);
});

Deno.test("follow() says to retry in a minute while the follows of a deleted profile are removed", async () => {
  using deps = await testDeps();
  const change = () => Promise.resolve({ changed: false, edge: null });
  const store = { ...deps.store, follows: { ...deps.store.follows, change } };
  const error = await assertRejects(() =>
    follow({ ...deps, store }, { follower: A, followee: B })
  );
  assertEquals(assertFault(error), {
    kind: "contended",
    retryAfterMs: 60_000,
  });
});

// The flags that follow patterns raise in a score.

async function flagsOf(deps: TestDeps, address: string) {
  return (await scoreFollowed(deps, address)).graph.flags;
}

Deno.test("each flag is raised by its own graph, and not by the mirror image", async (t) => {
  const some = others(5);
  const to = some.map((each) => [each, A] as const);
  const from = some.map((each) => [A, each] as const);
  const cases: [
    flag: GraphFlag,
    build: (deps: TestDeps, isMirrored: boolean) => Promise<void>,
  ][] = [
    ["follow_ring", async (deps, isMirrored) => {
      // Those it follows are others than those who follow it.
      const back = isMirrored
        ? others(5, 900).map((each) => [A, each] as const)
        : from;
      await importFollows(deps, daily(deps, [...to, ...back]));
    }],
    ["follower_burst", async (deps, isMirrored) => {
      await importFollows(deps, atOnce(deps, isMirrored ? from : to));
    }],
    ["thin_followers", async (deps, isMirrored) => {
      await know(deps, some, {});
      await importFollows(deps, daily(deps, isMirrored ? from : to));
    }],
  ];
  for (const [flag, build] of cases) {
    for (const isMirrored of [false, true]) {
      await t.step(`${flag}${isMirrored ? ", mirrored" : ""}`, async () => {
        using deps = await testDeps();
        await build(deps, isMirrored);
        assertEquals(await flagsOf(deps, A), isMirrored ? [] : [flag]);
        for (const each of some) assertEquals(await flagsOf(deps, each), []);
      });
    }
  }
  await t.step("self_donation, and a donation to another wallet", async () => {
    using deps = await testDeps();
    const own = { ...NO_PROFILE, claimed: true, selfDonated: true };
    const given = { ...NO_PROFILE, claimed: true, donatedUsdc: 50 };
    const flags = async (profile: typeof own) =>
      (await scoreFollowed(deps, A, profile)).graph.flags;
    assertEquals(await flags(own), ["self_donation"]);
    assertEquals(await flags(given), []);
  });
});

Deno.test("a flag needs more than half of the followers, and at least five", async () => {
  const counts = fc.record({
    count: fc.integer({ min: 1, max: 13 }),
    mutual: fc.nat(13),
    together: fc.nat(13),
    thin: fc.nat(13),
  });
  await fc.assert(
    fc.asyncProperty(counts, async ({ count, ...kinds }) => {
      using deps = await testDeps();
      const followers = others(count);
      const first = (many: number) => followers.slice(0, many);
      await know(deps, first(kinds.thin), {});
      const to = (some: readonly string[]) =>
        some.map((each) => [each, A] as const);
      const back = first(kinds.mutual).map((each) => [A, each] as const);
      await importFollows(deps, atOnce(deps, to(first(kinds.together))));
      // Apart from one another, and from those who came together.
      const apart = to(followers.slice(kinds.together));
      await importFollows(
        deps,
        daily(deps, [...apart, ...back]).map((edge) => {
          return { ...edge, at: edge.at - 30 * DAY_MS };
        }),
      );
      const isMost = (members: number) => {
        const there = Math.min(members, count);
        return there >= 5 && 2 * there > count;
      };
      const expected = [
        ...isMost(kinds.mutual) ? ["follow_ring"] : [],
        ...isMost(kinds.together) ? ["follower_burst"] : [],
        ...isMost(kinds.thin) ? ["thin_followers"] : [],
      ];
      const { graph, s4 } = await scoreFollowed(deps, A);
      assertEquals([...graph.flags], expected);
      assertEquals(graph.socialDamping === 1, expected.length === 0);
      // Less than five followers without a history round to 0.0 without any damping.
      const isFlagged = expected.length > 0;
      assert(graph.socialDamping >= 0.25, "never zeroed");
      assert(!isFlagged || s4.social > 0, "never zeroed");
    }),
    { numRuns: 60 },
  );
});

// Two processes change the follow graph of one database file, and one of them fails in between.

const HOUR_MS = 3_600_000;

/** Few addresses, so that changes meet. */
const address = fc.nat(4).map(addressOf);
const ends = fc.uniqueArray(address, { minLength: 2, maxLength: 2 })
  .map(([follower, followee]) => ({
    follower: follower!,
    followee: followee!,
  }));
const edge = fc.record({ ends, hoursAgo: fc.nat(800) });

const step = fc.oneof(
  fc.record({ kind: fc.constant("follow" as const), ends }),
  fc.record({ kind: fc.constant("unfollow" as const), ends }),
  fc.record({
    kind: fc.constant("import" as const),
    edges: fc.array(edge, { minLength: 1, maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant("score" as const),
    address,
    gasAvax: fc.constantFrom(0, 0.01, 3),
  }),
  fc.record({
    kind: fc.constantFrom(
      "claim" as const,
      "delete" as const,
      "update" as const,
    ),
    address,
  }),
  fc.record({
    kind: fc.constant("look up" as const),
    address,
    nonce: fc.nat(1),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs a step of one process. */
async function take(deps: TestDeps, step: Step): Promise<unknown> {
  const { store } = deps;
  const now = deps.now().getTime();
  switch (step.kind) {
    case "follow":
      return await follow(deps, step.ends);
    case "unfollow":
      return await store.follows.change({ kind: "unfollow", ...step.ends });
    case "import":
      return await importFollows(
        deps,
        step.edges.map(({ ends, hoursAgo }) => ({
          ...ends,
          at: now - hoursAgo * HOUR_MS,
        })),
      );
    case "score": {
      const { gasAvax } = step;
      return await know(deps, [step.address], gasAvax > 0 ? paid(gasAvax) : {});
    }
    case "claim":
      return await claim(deps, [step.address]);
    case "delete":
      return await deleteProfile(deps, step.address, { requestId: "test" });
    case "update": {
      const pending = await store.pendingWeightUpdates.find(step.address);
      return pending && await reweighFollower(deps, pending);
    }
    case "look up": {
      const key = ["unknown_followers"];
      const lookup = { follower: step.address, key };
      const { nonce } = step;
      return await store.followerLookups.answer([lookup], { nonce, at: now });
    }
  }
}

/** Runs a step; a fault of the service or of its disk ends it. */
async function attempt(deps: TestDeps, step: Step): Promise<void> {
  try {
    await take(deps, step);
  } catch (error) {
    const isExpected = error instanceof Fault ||
      error instanceof Error && error.message === DISK_ERROR;
    if (!isExpected) throw error;
  }
}

const round = fc.record({
  one: fc.array(step, { maxLength: 5 }),
  two: fc.array(step, { maxLength: 5 }),
  /** The write of the second process that fails; 0 for none. */
  failingWrite: fc.nat(4),
});

Deno.test("the sums and weights follow from the edges after random changes by two processes, of which one fails", async () => {
  const rounds = fc.array(round, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(rounds, async (rounds) => {
    const kvPath = await Deno.makeTempFile({ suffix: ".sqlite3" });
    try {
      using one = await testDeps({ kvPath });
      using two = await testDeps({ kvPath });
      const faults = breakKv(two.kv);
      for (const { one: ours, two: theirs, failingWrite } of rounds) {
        faults.failingWrite = failingWrite;
        await Promise.all([
          ...ours.map((step) => attempt(one, step)),
          ...theirs.map((step) => attempt(two, step)),
        ]);
        faults.failingWrite = 0;
        await assertRecount(one.kv);
        await assertSound(one.kv);
        one.advance(HOUR_MS);
        two.advance(HOUR_MS);
      }
      await settle(one);
      await assertRecount(one.kv);
      await assertSound(one.kv);
    } finally {
      await Deno.remove(kvPath);
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

/** Updates all weights, as the job does, and checks that nothing is left to do. */
async function settle(deps: TestDeps): Promise<void> {
  const { follows, pendingWeightUpdates } = deps.store;
  const pending = await Array.fromAsync(pendingWeightUpdates.list());
  for (const update of pending) await reweighFollower(deps, update);
  const left = await Array.fromAsync(pendingWeightUpdates.list());
  assertEquals(left, []);
  for (const number of [0, 1, 2, 3, 4]) {
    const { isLeaving } = await follows.find(addressOf(number));
    assertEquals(isLeaving, undefined);
  }
}
