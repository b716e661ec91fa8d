/** The flags that follow patterns raise in a score. */
import { assert, assertEquals } from "@std/assert";
import type { GraphFlag } from "../../../../services/model/score_terms_schema.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  type ChainSignals,
  NO_PROFILE,
} from "../../../../services/model/signals.ts";
import { importFollows } from "../../../../services/profiles/follows/follows.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { atOnce, daily, scoreFollowed } from "../../../support/follows.ts";
import {
  addressOf,
  claim,
  know,
  others,
  paid,
} from "../../../support/graph.ts";
import { fc } from "../../../support/properties.ts";

const A = addressOf(1);

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

Deno.test("a thousand empty wallets that follow within an hour cost at most 2.6 of the composite", async (t) => {
  const standings = [0, 1, 5, 12, 40, 250];
  const attacks: [name: string, signals: Partial<ChainSignals> | null][] = [
    ["known to be empty", {}],
    ["never looked at", null],
  ];
  for (const [name, signals] of attacks) {
    using deps = await testDeps();
    const attackers = others(1_000, 10_000);
    if (signals) await know(deps, attackers, signals);
    for (const [nth, count] of standings.entries()) {
      await t.step(`${name}, against ${count} paid followers`, async () => {
        const victim = addressOf(nth + 1);
        const followers = others(count, 1_000);
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

Deno.test("a gas budget shared among more followers gains nothing", async (t) => {
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
