/** Following and importing follows, and the weight of a follower in a score. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { type Failure, Fault } from "../../../../services/platform/fault.ts";
import { type ChainSignals } from "../../../../services/model/signals.ts";
import {
  follow,
  type ImportedFollow,
  importFollows,
  readGraph,
  requireDistinct,
  unfollow,
} from "../../../../services/profiles/follows/follows.ts";
import { weigh } from "../../../../services/profiles/follows/follow_edges.ts";
import type { FollowOutcome } from "../../../../services/profiles/follows/follow_commit_store.ts";
import { HOUR_MS } from "../../../../services/platform/days.ts";
import { testDeps } from "../../../support/deps.ts";
import { daily } from "../../../support/follows.ts";
import {
  addressOf,
  assertRecount,
  claim,
  know,
  others,
  paid,
} from "../../../support/graph.ts";

const [A, B] = [addressOf(1), addressOf(2)] as const;

function assertFault(error: unknown): Failure {
  assert(error instanceof Fault, String(error));
  return error.failure;
}

Deno.test("follow() and unfollow() return the relation, and are idempotent", async () => {
  using deps = await testDeps();
  const since = deps.now().getTime();
  const ends = { follower: A, followee: B };
  assertEquals(
    await follow(deps, ends),
    { changed: true, since, mutual: false },
  );
  deps.advance(5_000);
  assertEquals(
    await follow(deps, ends),
    { changed: false, since, mutual: false },
  );
  const back = await follow(deps, { follower: B, followee: A });
  assertEquals(back.mutual, true);
  const counts = { followers: 1, following: 1, mutual: 1 };
  assertEquals(await readGraph(deps, A), counts);
  assertEquals(await readGraph(deps, B), counts);
  const gone = { since: null, mutual: false };
  assertEquals(await unfollow(deps, ends), { changed: true, ...gone });
  assertEquals(await unfollow(deps, ends), { changed: false, ...gone });
  const { since: anew } = await follow(deps, ends);
  assertEquals(anew, since + 5_000, "nothing of the old time is kept");
});

Deno.test("requireDistinct() rejects the own address, and unfollow() ignores it", async () => {
  using deps = await testDeps();
  const own = { follower: A, followee: A };
  const error = assertThrows(() => requireDistinct(own));
  assertEquals(assertFault(error).kind, "badInput");
  assertMatch((error as Fault).message, /^Cannot follow .*: it is your own$/);
  const change = () => Promise.reject(new Error("nothing is to be written"));
  const follows = { ...deps.store.follows, change };
  assertEquals(
    await unfollow({ store: { ...deps.store, follows } }, own),
    { changed: false, since: null, mutual: false },
  );
});

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

Deno.test("importFollows() adds each edge once and returns the rejected ones", async () => {
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
  ];
  const { added, unchanged, refused } = await importFollows(deps, batch);
  assertEquals([added, unchanged], [300, 1]);
  assertEquals(refused.map(({ index }) => index), [0, 302, 303, 304]);
  for (const { reason } of refused) {
    assertMatch(reason, /^(an|the) [a-z 0-9]+$/);
  }
  assertEquals(await assertRecount(deps.kv), 300);
  const before = await deps.store.follows.find(A);
  const again = await importFollows(deps, batch);
  assertEquals([again.added, again.unchanged], [0, 301]);
  assertEquals(await deps.store.follows.find(A), before);
});

Deno.test("importFollows() completes an interrupted import when repeated", async () => {
  using deps = await testDeps();
  const edges = daily(deps, others(400).map((each) => [each, A]));
  const { changeAll } = deps.store.follows;
  const stopping: typeof changeAll = (changes, settle) =>
    changeAll(changes, (outcome, nth) => {
      if (nth === 200) throw new Error("stopped");
      settle(outcome, nth);
    });
  const follows = { ...deps.store.follows, changeAll: stopping };
  const store = { ...deps.store, follows };
  await assertRejects(() => importFollows({ ...deps, store }, edges));
  const half = await assertRecount(deps.kv);
  assert(half > 100 && half < 400, `${half} edges`);
  const { added, unchanged } = await importFollows(deps, edges);
  assertEquals([added, unchanged], [400 - half, half]);
  assertEquals(await assertRecount(deps.kv), 400);
});

Deno.test("follow() says to retry in a minute while the follows of a deleted profile are removed, and so under contention", async () => {
  using deps = await testDeps();
  const failureOf = async (outcome: "contended" | FollowOutcome) => {
    const change = () => Promise.resolve(outcome);
    const follows = { ...deps.store.follows, change };
    const ends = { follower: A, followee: B };
    const store = { ...deps.store, follows };
    const error = await assertRejects(() => follow({ ...deps, store }, ends));
    return assertFault(error);
  };
  assertEquals(await failureOf({ changed: false, edge: null }), {
    kind: "contended",
    retryAfterMs: 60_000,
  });
  assertEquals((await failureOf("contended")).kind, "contended");
});

Deno.test("importFollows() writes edges by followed address, hour range and follower, and fails under contention", async () => {
  using deps = await testDeps();
  const C = addressOf(3);
  const written: string[] = [];
  const { store } = deps;
  const ranges = [0, 4_000 * HOUR_MS];
  const edges = [A, B, C].flatMap((followee) =>
    ranges.flatMap((at) =>
      [addressOf(7), addressOf(8), addressOf(9)]
        .map((follower) => ({ follower, followee, at }))
    )
  );
  const nameOf = ({ followee, at, follower }: ImportedFollow) =>
    [followee, at, follower].map((part) => String(part).slice(-8)).join();
  const edge = { at: 0, mutual: false, ...weigh(null, 1) };
  const changeAll: typeof store.follows.changeAll = (changes, settle) => {
    for (const [nth, change] of changes.entries()) {
      written.push(nameOf(change as ImportedFollow));
      settle({ changed: true, edge }, nth);
    }
    return Promise.resolve();
  };
  const importing = (write: typeof changeAll, some: typeof edges) => {
    const follows = { ...store.follows, changeAll: write };
    return importFollows({ ...deps, store: { ...store, follows } }, some);
  };
  for (
    const given of [
      edges,
      edges.toReversed(),
      edges.toSorted((a, b) => a.at - b.at),
    ]
  ) {
    written.length = 0;
    await importing(changeAll, given);
    assertEquals(written, edges.map(nameOf));
  }
  const contended: typeof changeAll = (_, settle) =>
    Promise.resolve(settle("contended", 0));
  const error = await assertRejects(() => importing(contended, edges));
  assertEquals(assertFault(error).kind, "contended");
});
