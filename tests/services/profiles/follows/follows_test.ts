/** Following through the store: limits, imports, and what the followers come to in a score. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import * as fc from "fast-check";
import type { GraphFlag } from "../../../../services/scores/model/score_terms_schema.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { type Failure, Fault } from "../../../../services/platform/fault.ts";
import { scoreOf } from "../../../../services/scores/model/model.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_PROFILE,
} from "../../../../services/scores/model/signals.ts";
import {
  follow,
  type ImportedFollow,
  importFollows,
  readGraph,
  unfollow,
} from "../../../../services/profiles/follows/follows.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import {
  addressOf,
  assertRecount,
  claim,
  know,
  others,
  paid,
} from "../../../support/graph.ts";

const [A, B] = [addressOf(1), addressOf(2)] as const;

/** Edges that came to be a day after one another, the last of them yesterday. */
function daily(
  deps: TestDeps,
  ends: readonly (readonly [follower: string, followee: string])[],
): ImportedFollow[] {
  const now = deps.now().getTime();
  return ends.map(([follower, followee], nth) => {
    return { follower, followee, at: now - (nth + 1) * 2 * DAY_MS };
  });
}

/** Edges that all came to be within an hour. */
function atOnce(
  deps: TestDeps,
  ends: readonly (readonly [follower: string, followee: string])[],
): ImportedFollow[] {
  const at = deps.now().getTime() - DAY_MS;
  return ends.map(([follower, followee]) => ({ follower, followee, at }));
}

/** Scores an address of which nothing is known but its followers. */
async function scoreFollowed(
  { store, now }: TestDeps,
  address: string,
  profile = NO_PROFILE,
) {
  const graph = await store.follows.findGraph(address);
  return scoreOf(
    { chain: NO_CHAIN, profile, graph, freshness: "fresh" },
    now().getTime(),
  );
}

async function flagsOf(deps: TestDeps, address: string) {
  return (await scoreFollowed(deps, address)).graph.flags;
}

function assertFault(error: unknown): Failure {
  assert(error instanceof Fault, String(error));
  return error.failure;
}

Deno.test("follow() and unfollow() say how things stand, and do nothing twice", async () => {
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

Deno.test("follow() refuses to follow oneself, and unfollow() has nothing to do", async () => {
  using deps = await testDeps();
  const own = { follower: A, followee: A };
  const error = await assertRejects(() => follow(deps, own));
  assertEquals(assertFault(error).kind, "badInput");
  assertMatch((error as Fault).message, /^Cannot follow .*: it is your own$/);
  assertEquals((await unfollow(deps, own)).changed, false);
  assertEquals(await assertRecount(deps.kv), 0);
});

Deno.test("follow() admits 100 a minute of a wallet, unfollow() any number", async () => {
  using deps = await testDeps();
  const followees = others(101);
  const last = followees.pop()!;
  await Promise.all(
    followees.map((followee) => follow(deps, { follower: A, followee })),
  );
  const over = { follower: A, followee: last };
  const failure = assertFault(await assertRejects(() => follow(deps, over)));
  assert(failure.kind === "tooManyChanges");
  assert(failure.retryAfterMs > 0 && failure.retryAfterMs <= 61_000);
  for (const followee of followees) {
    await unfollow(deps, { follower: A, followee });
  }
  await follow(deps, { ...over, follower: B });
  deps.advance(failure.retryAfterMs);
  assertEquals((await follow(deps, over)).changed, true);
});

Deno.test("following asks nobody else", async () => {
  using deps = await testDeps();
  await know(deps, [A], paid(0.05));
  await follow(deps, { follower: A, followee: B });
  const { explorer, cChainRpc } = deps.upstreams;
  assertEquals(explorer.calls.length + cChainRpc.calls.length, 0);
});

Deno.test("a follower weighs what is stored of it", async (t) => {
  const whole = { solidMass: 1, softMass: 0, thin: 0 };
  const cases: [
    name: string,
    chain: Partial<ChainSignals> | null,
    claimed: boolean,
    object,
  ][] = [
    ["claimed, with gas of its own", paid(0.05), true, whole],
    ["unclaimed", paid(0.05), false, { ...whole, solidMass: 0.4 }],
    ["claimed, never read", null, true, { solidMass: 0, softMass: 0.25 }],
    ["claimed, without history", {}, true, { softMass: 0.15, thin: 0 }],
    ["unclaimed, never read", null, false, { softMass: 0.1, thin: 0 }],
    ["unclaimed, without history", {}, false, { softMass: 0.05, thin: 1 }],
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

Deno.test("importFollows() adds each edge once and says which cannot be", async () => {
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

Deno.test("an import that was stopped half way is finished by the same import", async () => {
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

Deno.test("each flag comes of its own graph and not of the mirror image", async (t) => {
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
  await t.step("self_donation, and a donation to somebody else", async () => {
    using deps = await testDeps();
    const own = { ...NO_PROFILE, claimed: true, selfDonated: true };
    const given = { ...NO_PROFILE, claimed: true, donatedUsdc: 50 };
    const flags = async (profile: typeof own) =>
      (await scoreFollowed(deps, A, profile)).graph.flags;
    assertEquals(await flags(own), ["self_donation"]);
    assertEquals(await flags(given), []);
  });
});

Deno.test("most is more than half, of five followers or more", async () => {
  const crowds = fc.record({
    count: fc.integer({ min: 1, max: 13 }),
    mutual: fc.nat(13),
    together: fc.nat(13),
    thin: fc.nat(13),
  });
  await fc.assert(
    fc.asyncProperty(crowds, async ({ count, ...kinds }) => {
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
      assert(graph.socialDamping >= 0.25 && s4.social > 0, "never zeroed");
    }),
    { numRuns: 60 },
  );
});

Deno.test("a thousand empty wallets that follow within an hour take at most 2.6 of the composite", async (t) => {
  const standings = [0, 1, 5, 12, 40, 250];
  const attacks: [name: string, signals: Partial<ChainSignals> | null][] = [
    ["known to be empty", {}],
    ["never looked at", null],
  ];
  for (const [name, signals] of attacks) {
    using deps = await testDeps();
    const attackers = others(1_000, 10_000);
    if (signals) await know(deps, attackers, signals);
    for (const [nth, solid] of standings.entries()) {
      await t.step(`${name}, against ${solid} solid followers`, async () => {
        const victim = addressOf(nth + 1);
        const followers = others(solid, 1_000);
        await claim(deps, followers);
        await know(deps, followers, paid(0.05));
        const fair = followers.map((each) => [each, victim] as const);
        await importFollows(deps, daily(deps, fair));
        const before = await scoreFollowed(deps, victim);
        const surge = attackers.map((each) => [each, victim] as const);
        await importFollows(deps, atOnce(deps, surge));
        const after = await scoreFollowed(deps, victim);
        const lost = before.s4.composite - after.s4.composite;
        assert(lost <= 2.6, `${lost} points`);
        assert(after.graph.flags.includes("follower_burst"));
      });
    }
  }
});

Deno.test("a budget of gas shared among more followers gains nothing", async (t) => {
  for (const budget of [0.02, 0.05]) {
    for (const claimed of [true, false]) {
      await t.step(
        `${budget} AVAX, ${claimed ? "" : "un"}claimed`,
        async () => {
          using deps = await testDeps();
          const socials: number[] = [];
          for (const [nth, many] of [1, 2, 10, 100].entries()) {
            const followee = addressOf(nth + 1);
            const followers = others(many, (nth + 1) * 1_000);
            if (claimed) await claim(deps, followers);
            await know(deps, followers, paid(budget / many));
            const ends = followers.map((each) => [each, followee] as const);
            await importFollows(deps, daily(deps, ends));
            const { s4 } = await scoreFollowed(deps, followee);
            socials.push(s4.social);
          }
          const [whole, ...shared] = socials;
          assert(whole! > 0);
          for (const social of shared) {
            assert(social <= whole!, String(socials));
          }
        },
      );
    }
  }
});
