/** The invariants of the model `s4-2026.2` over random addresses. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import { sharedMassOf } from "../../../services/model/follower_analysis.ts";
import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";
import {
  amount,
  chainOf,
  cohorts,
  graphs,
  lives,
  NOW,
  profiles,
  txs,
} from "../../support/scores/random_signals.ts";

const s4 = (signals: Partial<ScoreSignals>, now = NOW) =>
  scoreOf(
    {
      chain: NO_CHAIN,
      profile: NO_PROFILE,
      graph: NO_GRAPH,
      freshness: "fresh",
      ...signals,
    },
    now,
    S4_2026_2,
  ).s4;

Deno.test("1: one more own transaction never lowers the composite", () => {
  fc.assert(
    fc.property(lives, txs, cohorts, (life, more, alike) => {
      const before = s4({ chain: chainOf(life, alike) }).composite;
      const after = s4({ chain: chainOf([...life, more], alike) }).composite;
      assert(after >= before, `${before} fell to ${after}`);
    }),
    { numRuns: 4_000 },
  );
});

Deno.test("1: more evidence of any other kind never lowers the composite", () => {
  const added = fc.record({
    days: fc.nat(1_000),
    months: fc.nat(12),
    usdc: amount(500),
    mass: amount(100),
    unseen: fc.nat(500),
  });
  fc.assert(
    fc.property(
      lives,
      profiles,
      graphs,
      cohorts,
      added,
      (life, profile, graph, alike, more) => {
        const chain = chainOf(life, alike);
        const before = s4({ chain, profile, graph }).composite;
        const older = profile.socials.map((social) => ({
          ...social,
          verifiedAt: social.verifiedAt - more.days * DAY_MS,
          account: social.account && {
            createdAt: social.account.createdAt - more.days * DAY_MS,
            publicWork: social.account.publicWork + more.months,
          },
        }));
        const { premiumMonths, donatedUsdc } = profile;
        const better: Partial<ScoreSignals>[] = [
          { profile: { ...profile, socials: older } },
          {
            profile: { ...profile, premiumMonths: premiumMonths + more.months },
          },
          { profile: { ...profile, paidSlug: true } },
          { profile: { ...profile, donatedUsdc: donatedUsdc + more.usdc } },
          { chain: { ...chain, nonce: chain.nonce + more.unseen } },
          { chain: { ...chain, alike: 0 } },
          {
            graph: {
              ...graph,
              sharedPaidMass: graph.sharedPaidMass + more.mass,
            },
          },
        ];
        for (const change of better) {
          const after = s4({ chain, profile, graph, ...change }).composite;
          assert(after >= before, `${before} fell to ${after}`);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("3: with no new evidence, time lowers activity and economic, and raises humanity", () => {
  fc.assert(
    fc.property(lives, profiles, cohorts, fc.nat(2_000), (
      life,
      profile,
      alike,
      days,
    ) => {
      const signals = { chain: chainOf(life, alike), profile };
      const before = s4(signals);
      const after = s4(signals, NOW + days * DAY_MS);
      assert(after.activity <= before.activity);
      assert(after.economic <= before.economic);
      assert(after.humanity >= before.humanity);
      assertEquals(after.social, before.social);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("4: wallets of one funder that act alike take at most 2.6 of the composite, and never all", () => {
  fc.assert(
    fc.property(lives, profiles, (life, profile) => {
      const alone = s4({ chain: chainOf(life), profile });
      const among = s4({ chain: chainOf(life, 1e9), profile });
      assert(alone.composite - among.composite <= 2.6);
      assert(alone.activity < 1 || among.activity > 0);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("4: followers of others take at most 2.6 of the composite, for less than $100", () => {
  // $100 are 5 AVAX: gas of 100 claimed followers at full standing.
  const attacks = fc.record({
    empty: fc.nat(5_000),
    paid: fc.nat(100),
    following: fc.constantFrom(1, 10, 1_000),
  });
  fc.assert(
    fc.property(graphs, attacks, (graph, { empty, paid, following }) => {
      const fair = { ...graph, burst: 0, thin: 0 };
      const before = s4({ graph: fair }).composite;
      const after = s4({
        graph: {
          ...fair,
          followers: fair.followers + empty + paid,
          thin: empty,
          burst: empty + paid,
          paidMass: fair.paidMass + paid,
          sharedPaidMass: fair.sharedPaidMass + paid / following,
          freeMass: fair.freeMass + 0.05 * empty,
          burstPaidMass: paid,
          burstFreeMass: 0.05 * empty,
        },
      }).composite;
      assert(before - after <= 2.6, `${before} fell to ${after}`);
    }),
    { numRuns: 4_000 },
  );
});

Deno.test("4: that holds for a graph that has patterns already, and with donations to the address for the rest of the $100", () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const patterned = fc.record({
    graph: graphs,
    thin: part,
    burst: part,
    mutual: part,
  }).map(({ graph, thin, burst, mutual }) => {
    const some = (share: number) => Math.floor(share * graph.followers);
    return {
      ...graph,
      thin: Math.min(some(thin), Math.floor(graph.freeMass / 0.05)),
      burst: some(burst),
      burstPaidMass: burst * graph.paidMass,
      burstFreeMass: burst * graph.freeMass,
      mutual: some(mutual),
      mutualPaidMass: mutual * graph.paidMass,
      mutualFreeMass: mutual * graph.freeMass,
    };
  });
  const attacks = fc.record({
    empty: fc.nat(5_000),
    paid: fc.nat(100),
    following: fc.constantFrom(1, 10, 1_000),
    joinsBurst: fc.boolean(),
    /** A donation to it is deducted from its own of the last 30 days. */
    donated: amount(300),
  });
  fc.assert(
    fc.property(patterned, attacks, (graph, attack) => {
      const { empty, paid, following, joinsBurst, donated } = attack;
      const free = 0.05 * empty;
      const peak = (held: number, added: number) =>
        joinsBurst ? held + added : Math.max(held, added);
      const profileOf = (donatedUsdc: number) => ({
        ...NO_PROFILE,
        claimed: true,
        donatedUsdc: Math.max(0, donatedUsdc),
      });
      const profile = profileOf(donated);
      const before = s4({ graph, profile }).composite;
      const after = s4({
        profile: profileOf(donated - (100 - paid)),
        graph: {
          ...graph,
          followers: graph.followers + empty + paid,
          thin: graph.thin + empty,
          burst: peak(graph.burst, empty + paid),
          paidMass: graph.paidMass + paid,
          sharedPaidMass: graph.sharedPaidMass + paid / following,
          freeMass: graph.freeMass + free,
          burstPaidMass: peak(graph.burstPaidMass, paid),
          burstFreeMass: peak(graph.burstFreeMass, free),
        },
      }).composite;
      assert(before - after <= 2.6, `${before} fell to ${after}`);
    }),
    { numRuns: 6_000 },
  );
});

Deno.test("a fleet of followers gives no more in total, however many it follows", () => {
  const followers = fc.record({ gas: amount(0.2), following: fc.nat(5_000) });
  fc.assert(
    fc.property(followers, ({ gas, following }) => {
      const known = { claimed: true, hasHistory: true, gasAvax: gas };
      const each = sharedMassOf(known, following);
      assert(each * Math.max(1, following) <= Math.max(gas / 0.05, 0) + 1e-9);
      assert(each <= 1);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a schedule with few times of the day counts few of its days", () => {
  const daily = (slots: number) =>
    chainOf(Array.from({ length: 180 }, (_, day) => ({
      at: (dayAt(NOW) - day) * DAY_MS + (day % slots) * 600_000,
      to: `${day % 20}`,
      method: `${day % 10}`,
      paidAvax: 0.00002,
      movesValue: false,
      failed: false,
    })));
  const activity = [1, 6, 30, 60].map((slots) =>
    s4({ chain: daily(slots) }).activity
  );
  assertEquals(activity, activity.toSorted((a, b) => a - b));
  assert(activity[0]! < 25, `one time of the day: ${activity[0]}`);
  assert(activity[3]! > 3 * activity[0]!, `sixty times: ${activity[3]}`);
});

Deno.test("7 and 8: what was received changes nothing, and the same signals give the same bytes", () => {
  fc.assert(
    fc.property(lives, profiles, graphs, (life, profile, graph) => {
      const chain = chainOf(life);
      const bytes = JSON.stringify(s4({ chain, profile, graph }));
      const received = { ...chain, balance: 1, receivedTxAt: [NOW] };
      const again = structuredClone(profile);
      again.socials.reverse();
      assertEquals(
        JSON.stringify(s4({ chain: received, profile: again, graph })),
        bytes,
      );
    }),
    { numRuns: 1_000 },
  );
});
