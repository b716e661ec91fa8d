/** The invariants of the model `s4-2026.3` over random addresses. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import { sharedMassOf } from "../../../services/model/follower_analysis.ts";
import { originOf, S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";
import {
  amount,
  chainOf,
  graphs,
  lives,
  NOW,
  origins,
  profiles,
  txs,
} from "../../support/scores/random_signals.ts";

const read = (signals: Partial<ScoreSignals>, now = NOW) =>
  scoreOf(
    {
      chain: NO_CHAIN,
      profile: NO_PROFILE,
      graph: NO_GRAPH,
      freshness: "fresh",
      ...signals,
    },
    now,
    S4_2026_3,
  );

const s4 = (signals: Partial<ScoreSignals>, now = NOW) => read(signals, now).s4;

Deno.test("1: one more own transaction never lowers the composite", () => {
  fc.assert(
    fc.property(lives, txs, origins, (life, more, by) => {
      const before = s4({ chain: chainOf(life, by) }).composite;
      const after = s4({ chain: chainOf([...life, more], by) }).composite;
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
      origins,
      added,
      (life, profile, graph, by, more) => {
        const chain = chainOf(life, by);
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
          { chain: { ...chain, alike: 0, origin: null } },
          {
            chain: {
              ...chain,
              firstTxAt: chain.firstTxAt &&
                chain.firstTxAt - more.days * DAY_MS,
            },
          },
          {
            profile: {
              ...profile,
              proofs: [...profile.proofs, {
                kind: "coinbase",
                strength: 1,
                until: Infinity,
              }],
            },
          },
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

Deno.test("3: with no new evidence, time lowers activity, raises humanity, and leaves the rest", () => {
  fc.assert(
    fc.property(lives, profiles, origins, fc.nat(2_000), (
      life,
      profile,
      by,
      days,
    ) => {
      // The end of a proof is new evidence.
      const proofs = profile.proofs
        .map((proof) => ({ ...proof, until: Infinity }));
      const lasting = { ...profile, proofs };
      const signals = { chain: chainOf(life, by), profile: lasting };
      const before = s4(signals);
      const after = s4(signals, NOW + days * DAY_MS);
      assert(after.activity <= before.activity);
      assert(after.humanity >= before.humanity);
      assertEquals(after.economic, before.economic);
      assertEquals(after.social, before.social);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("no score depends on the date: all instants and now shifted by k years give the same answer", () => {
  fc.assert(
    fc.property(
      lives,
      profiles,
      origins,
      fc.integer({ min: -4, max: 20 }),
      (life, profile, by, years) => {
        const ms = years * 365 * DAY_MS;
        const later = {
          chain: chainOf(life.map((tx) => ({ ...tx, at: tx.at + ms })), by),
          profile: {
            ...profile,
            proofs: profile.proofs
              .map((proof) => ({ ...proof, until: proof.until + ms })),
            socials: profile.socials.map(({ account, ...social }) => ({
              ...social,
              verifiedAt: social.verifiedAt + ms,
              account: account
                ? { ...account, createdAt: account.createdAt + ms }
                : null,
            })),
          },
        };
        assertEquals(
          read(later, NOW + ms).explanation,
          read({ chain: chainOf(life, by), profile }).explanation,
        );
        assertEquals(
          read(later, NOW + ms).breakdown,
          read({ chain: chainOf(life, by), profile }).breakdown,
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("4: a thousand payments to an unused address, and wallets tied to it, take at most 2.6 of its later score", () => {
  fc.assert(
    fc.property(
      lives,
      profiles,
      fc.double({ min: 0.001, max: 100, noNaN: true }),
      fc.array(amount(1), { maxLength: 1_000 }),
      amount(3_000),
      fc.nat(48),
      (life, profile, own, dust, delayDays, alike) => {
        const alone = { origin: originOf([own], 0), alike: 0 };
        const dusted = { origin: originOf([own, ...dust], delayDays), alike };
        const before = s4({ chain: chainOf(life, alone), profile }).composite;
        const after = s4({ chain: chainOf(life, dusted), profile }).composite;
        assert(before - after <= 2.6, `${before} fell to ${after}`);
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("4: donations to an address take at most 1.8 of its composite", () => {
  const less = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(lives, profiles, graphs, less, (life, profile, graph, part) => {
      const [before, after] = [profile.donatedUsdc, profile.donatedUsdc * part]
        .map((donatedUsdc) =>
          s4({
            chain: chainOf(life),
            graph,
            profile: { ...profile, donatedUsdc },
          }).composite
        );
      const taken = before! - after!;
      assert(taken <= 1.8 + 1e-9, `${before} fell to ${after}`);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("what the service sells and donations move at most 5 points together", () => {
  fc.assert(
    fc.property(lives, profiles, graphs, (life, profile, graph) => {
      const chain = chainOf(life);
      const none = { premiumMonths: 0, paidSlug: false, donatedUsdc: 0 };
      const all = { premiumMonths: 99, paidSlug: true, donatedUsdc: 1e6 };
      const [least, most] = [none, all].map((bought) =>
        s4({ chain, graph, profile: { ...profile, ...bought } }).composite
      );
      assert(most! - least! <= 5, `${least} rose to ${most}`);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("the breakdown adds up to the composite, and no part is negative", () => {
  fc.assert(
    fc.property(
      lives,
      profiles,
      graphs,
      origins,
      (life, profile, graph, by) => {
        const { s4, score, tier, headline, breakdown } = read({
          chain: chainOf(life, by),
          profile,
          graph,
        });
        const { total, ...parts } = breakdown;
        const points = Object.values(parts);
        const sum = points.reduce((sum, part) => sum + part, 0);
        assert(Math.abs(sum - s4.composite) < 0.01, `${sum}, ${s4.composite}`);
        assert(points.every((part) => part >= 0), points.join());
        assertEquals(total, s4.composite);
        assertEquals([score, tier], [headline.score, headline.tier]);
        assertEquals(score, Math.round(s4.composite));
      },
    ),
    { numRuns: 4_000 },
  );
});

Deno.test("the same use has the same points in every fee era", () => {
  fc.assert(
    fc.property(lives, fc.constantFrom(0.1, 1, 27, 500), (life, nAvax) => {
      const chain = chainOf(life);
      const units = life.reduce((sum, { gasUnits }) => sum + gasUnits, 0);
      const paid = { ...chain, gasAvax: units * nAvax * 1e-9 };
      assertEquals(read({ chain: paid }), read({ chain }));
    }),
    { numRuns: 500 },
  );
});

Deno.test("4: followers of others take at most 2.6 of the composite for less than $10, and 5 for less than $100", () => {
  // A follower with full standing costs two million units of gas: 4 cents.
  for (const [most, bound] of [[250, 2.6], [2_500, 5]] as const) {
    const attacks = fc.record({
      empty: fc.nat(5_000),
      paid: fc.nat(most),
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
        assert(before - after <= bound, `${before} fell to ${after}`);
      }),
      { numRuns: 4_000 },
    );
  }
});

Deno.test("4: that holds for a graph that has patterns already, and with donations to the address", () => {
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

Deno.test("7 and 8: what is received after the first use changes nothing, and the same signals give the same bytes", () => {
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
