/**
 * The invariants of the model `s4-2026.1` over random addresses; 2 and 4 are in
 * follower_analysis_invariants_test.ts.
 */
import { assert, assertEquals } from "@std/assert";
import type { Score } from "../../../services/model/scores_schema.ts";
import { SOCIAL_KINDS } from "../../../services/model/score_terms_schema.ts";
import { S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";
import { amount, NOW } from "../../support/scores/random_signals.ts";

/** The chain's account of transactions of these ages in hours; `unread` more have no known time. */
function chainOf(
  { hours, unread, gasAvax }: {
    hours: readonly number[];
    unread: number;
    gasAvax: number;
  },
): ChainSignals {
  const times = hours.map((hour) => NOW - hour * 3_600_000)
    .toSorted((a, b) => b - a);
  const oldest = times.at(-1);
  if (oldest === undefined) return { ...NO_CHAIN, gasAvax, fetchedAt: NOW };
  return {
    ...NO_CHAIN,
    firstTxAt: unread > 0 ? oldest - 400 * DAY_MS : oldest,
    recentTxAt: times,
    nonce: times.length + unread,
    gasAvax,
    fetchedAt: NOW,
  };
}

const hours = fc.oneof(fc.nat(200), fc.nat(50_000));
const lives = fc.record({
  hours: fc.array(hours, { maxLength: 60 }),
  unread: fc.oneof(fc.constant(0), fc.nat(300)),
  gasAvax: amount(4),
});
const chains = lives.map(chainOf);
const profiles = fc.record({
  claimed: fc.boolean(),
  socials: fc.uniqueArray(fc.constantFrom(...SOCIAL_KINDS)).map((kinds) =>
    kinds.map((kind) => ({ kind, verifiedAt: NOW }))
  ),
  premiumMonths: fc.nat(20),
  paidSlug: fc.boolean(),
  donatedUsdc: amount(400),
  selfDonated: fc.boolean(),
  verifiedHuman: fc.option(fc.nat(9)),
  isHumanNow: fc.boolean(),
});
/** Any sums, even some that no followers give. */
const graphs = fc.record({
  analyzed: fc.boolean(),
  followers: fc.nat(300),
  mutual: fc.nat(300),
  thin: fc.nat(300),
  burst: fc.nat(300),
  paidMass: amount(300),
  sharedPaidMass: amount(300),
  freeMass: amount(50),
  mutualPaidMass: amount(300),
  mutualFreeMass: amount(50),
  burstPaidMass: amount(300),
  burstFreeMass: amount(50),
});
const addresses = fc.record({
  chain: chains,
  profile: profiles,
  graph: graphs,
  freshness: fc.constantFrom("fresh" as const, "stale" as const),
});

const score = (signals: Partial<ScoreSignals>, now = NOW): Score =>
  scoreOf(
    {
      chain: NO_CHAIN,
      profile: NO_PROFILE,
      graph: NO_GRAPH,
      freshness: "fresh",
      ...signals,
    },
    now,
    S4_2026_1,
  );

Deno.test("1: more age, gas, socials, premium, slug or donations never lower the composite", () => {
  const extra = fc.record({
    days: fc.nat(1_000),
    gasAvax: amount(3),
    kind: fc.constantFrom(...SOCIAL_KINDS),
    months: fc.nat(12),
    usdc: amount(300),
  });
  fc.assert(
    fc.property(addresses, extra, (signals, more) => {
      const { chain, profile } = signals;
      const { firstTxAt, gasAvax, nonce, recentTxAt } = chain;
      const older = (firstTxAt ?? NOW) - more.days * DAY_MS;
      const social = { kind: more.kind, verifiedAt: NOW };
      const donatedUsdc = profile.donatedUsdc + more.usdc;
      const premiumMonths = profile.premiumMonths + more.months;
      // An older first transaction makes those without known times older, too.
      const isWhole = nonce === recentTxAt.length;
      const better: Partial<ScoreSignals>[] = [
        ...isWhole ? [{ chain: { ...chain, firstTxAt: older } }] : [],
        { chain: { ...chain, gasAvax: gasAvax + more.gasAvax } },
        { profile: { ...profile, socials: [social, ...profile.socials] } },
        { profile: { ...profile, premiumMonths } },
        { profile: { ...profile, paidSlug: true } },
        { profile: { ...profile, donatedUsdc } },
      ];
      const before = score(signals).s4.composite;
      for (const change of better) {
        const after = score({ ...signals, ...change }).s4.composite;
        assert(after >= before, `${before} fell to ${after}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("1: more transactions and active days never lower the composite", () => {
  fc.assert(
    fc.property(lives, hours, (life, hour) => {
      const chain = chainOf(life);
      const before = score({ chain }).s4.composite;
      const known = { ...life, hours: [hour, ...life.hours] };
      const { firstTxAt, recentTxAt, nonce } = chainOf(known);
      const first = Math.min(firstTxAt!, chain.firstTxAt ?? firstTxAt!);
      const better = [
        { ...chain, firstTxAt: first, recentTxAt, nonce },
        { ...chain, nonce: chain.nonce + 1 + hour },
      ];
      const newest = chain.recentTxAt[0];
      if (newest !== undefined && newest < NOW - DAY_MS) {
        // The list is full: a transaction on a new day, and the oldest leaves it.
        const list = [NOW, ...chain.recentTxAt.slice(0, -1)];
        better.push({ ...chain, recentTxAt: list, nonce: chain.nonce + 1 });
      }
      for (const change of better) {
        const isOlder = change.firstTxAt !== chain.firstTxAt;
        if (isOlder && life.unread > 0) continue;
        const after = score({ chain: change }).s4.composite;
        assert(after >= before, `${before} fell to ${after}`);
      }
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("3: with no new evidence, time only moves activity down and age up", () => {
  fc.assert(
    fc.property(addresses, fc.nat(2_000), (signals, days) => {
      const before = score(signals).s4;
      const after = score(signals, NOW + days * DAY_MS).s4;
      assert(after.activity <= before.activity);
      assert(after.humanity >= before.humanity);
      assertEquals(after.social, before.social);
      assertEquals(after.economic, before.economic);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("5: damping is from a quarter to 1, and 1 where there is no flag and nowhere else", () => {
  fc.assert(
    fc.property(addresses, (signals) => {
      const { flags, socialDamping } = score(signals).graph;
      assert(socialDamping >= 0.25 && socialDamping <= 1);
      assertEquals(socialDamping === 1, flags.length === 0);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("6: what only confidence reads never changes the composite", () => {
  fc.assert(
    fc.property(addresses, fc.boolean(), (signals, flip) => {
      const chain = { ...signals.chain, isPartial: flip, fetchedAt: 0 };
      const profile = { ...signals.profile, claimed: flip, verifiedHuman: 1 };
      const other = { ...signals, chain, profile, freshness: "stale" as const };
      assertEquals(score(other).s4.composite, score(signals).s4.composite);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("7: what an address received changes nothing", () => {
  fc.assert(
    fc.property(addresses, fc.nat(), (signals, wei) => {
      const received = { balance: wei, receivedTxAt: [NOW], donors: wei };
      const chain = { ...signals.chain, ...received };
      const profile = { ...signals.profile, ...received };
      assertEquals(score({ ...signals, chain, profile }), score(signals));
    }),
    { numRuns: 500 },
  );
});

Deno.test("8: the same signals and clock give the same bytes, and are left as they were", () => {
  fc.assert(
    fc.property(addresses, (signals) => {
      const bytes = JSON.stringify(score(signals));
      const again = structuredClone(signals);
      again.profile.socials.reverse();
      assertEquals(JSON.stringify(score(again)), bytes);
      again.profile.socials.reverse();
      assertEquals(again, signals);
    }),
    { numRuns: 1_000 },
  );
});
