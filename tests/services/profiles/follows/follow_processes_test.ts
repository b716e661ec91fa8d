/** Two processes change the follow graph of one database file, and one of them fails in between. */
import { assertEquals } from "@std/assert";
import {
  follow,
  importFollows,
  reweighFollower,
} from "../../../../services/profiles/follows/follows.ts";
import { deleteProfile } from "../../../../services/profiles/profile_deletion.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import {
  addressOf,
  assertRecount,
  claim,
  know,
  paid,
} from "../../../support/graph.ts";
import { breakKv, DISK_ERROR } from "../../../support/kv/faulty_kv.ts";
import { assertSound } from "../../../support/kv/invariants.ts";
import { fc } from "../../../support/properties.ts";

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
