import { assertEquals } from "@std/assert";
import { SOCIAL_KINDS } from "../../../services/model/score_terms_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { legacyScoreOf } from "../../../services/model/legacy_score.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

const social = (kind: typeof SOCIAL_KINDS[number]) => ({
  kind,
  verifiedAt: NOW,
});

Deno.test("an address that has everything scores 100, and one that has nothing 0", () => {
  const all = legacyScoreOf({
    chain: {
      ...NO_CHAIN,
      firstTxAt: NOW - 1095 * DAY_MS,
      nonce: 1000,
      gasAvax: 5,
    },
    profile: {
      ...NO_PROFILE,
      socials: SOCIAL_KINDS.map(social),
      premiumMonths: 12,
      paidSlug: true,
      donatedUsdc: 100,
    },
    graph: { ...NO_GRAPH, followers: 100 },
  }, NOW);
  assertEquals(all, {
    score: 100,
    tier: "legendary",
    tierLabel: "Legendary",
    breakdown: {
      walletAge: 25,
      txActivity: 25,
      gasSpent: 15,
      verifiedSocials: 15,
      followers: 10,
      donations: 5,
      premium: 3,
      paidSlug: 2,
      total: 100,
    },
  });
  const signals = { chain: NO_CHAIN, profile: NO_PROFILE, graph: NO_GRAPH };
  assertEquals(legacyScoreOf(signals, NOW).score, 0);
});

Deno.test("a score worked out by hand", () => {
  const { score, breakdown } = legacyScoreOf({
    chain: {
      ...NO_CHAIN,
      firstTxAt: NOW - 360 * DAY_MS,
      nonce: 4,
      gasAvax: 0.5,
    },
    profile: {
      ...NO_PROFILE,
      socials: [social("x"), social("github")],
      premiumMonths: 6,
      donatedUsdc: 25,
    },
    graph: { ...NO_GRAPH, followers: 40 },
  }, NOW);
  assertEquals(breakdown, {
    walletAge: 8.2, // 25 × 360 / 1095
    txActivity: 1.8, // 25 × ln 1.396 / ln 100
    gasSpent: 7.8, // 15 × ln 10.9 / ln 100
    verifiedSocials: 10,
    followers: 6.6, // 10 × ln 4.6 / ln 10
    donations: 2.6, // 5 × ln 3.25 / ln 10
    premium: 1.5,
    paidSlug: 0,
    total: 38.5,
  });
  assertEquals(score, 38.5);
});

Deno.test("the points of any breakdown add up to the score, exact to the tenth", () => {
  const addresses = fc.record({
    ageDays: fc.nat(3_000),
    nonce: fc.nat(5_000),
    gasAvax: fc.double({ min: 0, max: 20, noNaN: true }),
    followers: fc.nat(1_000),
    premiumMonths: fc.nat(30),
  });
  fc.assert(
    fc.property(addresses, ({ ageDays, followers, premiumMonths, ...rest }) => {
      const firstTxAt = NOW - ageDays * DAY_MS;
      const { score, breakdown } = legacyScoreOf({
        chain: { ...NO_CHAIN, firstTxAt, ...rest },
        profile: { ...NO_PROFILE, premiumMonths },
        graph: { ...NO_GRAPH, followers },
      }, NOW);
      const { total, ...points } = breakdown;
      const tenths = Object.values(points).map((each) => each * 10);
      assertEquals(tenths.map(Math.round), tenths);
      assertEquals(tenths.reduce((sum, each) => sum + each, 0) / 10, score);
      assertEquals(total, score);
    }),
    { numRuns: 1_000 },
  );
});
