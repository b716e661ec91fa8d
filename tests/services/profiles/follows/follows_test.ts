/** Following and importing follows, and the weight of a follower in a score. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Failure, Fault } from "../../../../services/platform/fault.ts";
import { type ChainSignals } from "../../../../services/model/signals.ts";
import {
  follow,
  importFollows,
} from "../../../../services/profiles/follows/follows.ts";
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
import { breakKv, DISK_ERROR } from "../../../support/kv/faulty_kv.ts";

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
