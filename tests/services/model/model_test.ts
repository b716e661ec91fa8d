import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { ScoreRead } from "../../../services/model/scores_schema.ts";
import { BatchItem } from "../../../services/model/score_lists_schema.ts";
import { DIMENSIONS } from "../../../services/model/score_terms_schema.ts";
import { tierOf } from "../../../services/model/tiers.ts";
import { S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const ADDRESS = "0x52908400098527886e0f7030069857d2e4169ee7";

const NOTHING: ScoreSignals = {
  chain: NO_CHAIN,
  profile: NO_PROFILE,
  graph: NO_GRAPH,
  freshness: "fresh",
};

/** Four transactions in a year, two socials, followers of some standing, some spend. */
const KNOWN: ScoreSignals = {
  chain: {
    ...NO_CHAIN,
    firstTxAt: NOW - 360 * DAY_MS,
    recentTxAt: [0, 0, 180, 360].map((days) => NOW - days * DAY_MS),
    nonce: 4,
    gasAvax: 0.5,
    fetchedAt: NOW,
  },
  profile: {
    claimed: true,
    socials: [
      { kind: "github", verifiedAt: NOW },
      { kind: "x", verifiedAt: NOW },
    ],
    premiumMonths: 6,
    paidSlug: true,
    donatedUsdc: 25,
    selfDonated: false,
    verifiedHuman: 12,
    isHumanNow: true,
  },
  graph: { ...NO_GRAPH, analyzed: true, followers: 40, paidMass: 31 },
  freshness: "fresh",
};

Deno.test("scoreOf() gives the score that was worked out by hand", () => {
  const { headline, s4, graph, verifiedHuman, ...rest } = scoreOf(
    KNOWN,
    NOW,
    S4_2026_1,
  );
  assertEquals(s4, {
    humanity: 57.7, // 1 − (1 − 0.5 × (1 − 2^(−360/365))) × 0.75 × 0.75
    activity: 6.1, // transactions weigh 2.75, days 1.75
    social: 50, // mass 31
    economic: 69.2, // 35.27 + 14.81 + 10 + 9.07
    composite: 43.94, // 0.3 × 57.7 + 0.3 × 6.1 + 0.15 × 50 + 0.25 × 69.2
    confidence: 0.59, // 0.4 × 0.464 + 0.2 × 4/24 + 0.15 + 0.1 + 0.15 × 0.8
  });
  assertEquals(headline, {
    score: 44,
    tier: "rising",
    tierLabel: "Rising",
    model: "s4-composite",
  });
  assertEquals(graph, { analyzed: true, flags: [], socialDamping: 1 });
  assertEquals(verifiedHuman, 12);
  assertEquals([rest.score, rest.tier], [40.5, "established"]);
  assertEquals(rest.breakdown.total, 40.5);
  assertEquals(rest.model, "s4-2026.1");
});

Deno.test("scoreOf() answers what the contract says, field for field and in its order", () => {
  const head = { address: ADDRESS };
  const { model, ...score } = scoreOf(KNOWN, NOW, S4_2026_1);
  const fetchedAt = new Date(NOW).toISOString();
  const read = { ...head, ...score, fetchedAt, model };
  assertEquals(JSON.stringify(ScoreRead.parse(read)), JSON.stringify(read));
});

Deno.test("a batch item that was never scored is zeroes, and keeps its Verified Human number", () => {
  const never = scoreOf({ ...KNOWN, freshness: "none" }, NOW, S4_2026_2);
  const { score, tier, tierLabel, s4, graph, verifiedHuman } = never;
  const given = { score, tier, tierLabel, s4, graph, verifiedHuman };
  const item = { address: ADDRESS, headline: null, ...given, signals: "none" };
  assertEquals(BatchItem.parse(item), {
    address: ADDRESS,
    headline: null,
    score: 0,
    tier: "starter",
    tierLabel: "Starter",
    s4: {
      humanity: 0,
      activity: 0,
      social: 0,
      economic: 0,
      composite: 0,
      confidence: 0,
    },
    graph: { analyzed: false, flags: [], socialDamping: 1 },
    verifiedHuman: 12,
    signals: "none",
  });
});

Deno.test("the composite, the headline and its tier follow from the numbers in the answer", () => {
  const weights = { humanity: 30, activity: 30, social: 15, economic: 25 };
  const addresses = fc.record({
    days: fc.nat(2_000),
    nonce: fc.nat(2_000),
    gasAvax: fc.double({ min: 0, max: 3, noNaN: true }),
    paidMass: fc.double({ min: 0, max: 300, noNaN: true }),
    premiumMonths: fc.nat(14),
  });
  fc.assert(
    fc.property(addresses, ({ days, nonce, gasAvax, ...more }) => {
      const firstTxAt = NOW - days * DAY_MS;
      const recentTxAt = [firstTxAt + Math.floor((NOW - firstTxAt) / 2)];
      const { s4, headline } = scoreOf(
        {
          ...NOTHING,
          chain: { ...NO_CHAIN, firstTxAt, recentTxAt, nonce, gasAvax },
          profile: { ...NO_PROFILE, premiumMonths: more.premiumMonths },
          graph: { ...NO_GRAPH, paidMass: more.paidMass },
        },
        NOW,
        S4_2026_1,
      );
      let thousandths = 0;
      for (const name of DIMENSIONS) {
        assertMatch(String(s4[name]), /^\d{1,3}(\.\d)?$/);
        thousandths += weights[name] * Math.round(s4[name] * 10);
      }
      assertEquals(s4.composite, Math.round(thousandths / 10) / 100);
      assertEquals(headline.score, Math.round(s4.composite));
      assertEquals(
        headline.tier,
        tierOf(headline.score, S4_2026_1.floors).tier,
      );
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("busy wallets alone end at 57.5, below elite", () => {
  const { headline, s4 } = scoreOf(
    {
      ...NOTHING,
      chain: {
        ...NO_CHAIN,
        firstTxAt: NOW - 1e5 * DAY_MS,
        recentTxAt: Array.from(
          { length: 1_000 },
          (_, hour) => NOW - hour * 3 * 3_600_000,
        ),
        nonce: 1e6,
        gasAvax: 1e6,
      },
    },
    NOW,
    S4_2026_1,
  );
  assertEquals([s4.composite, headline.tier], [57.5, "established"]);
});

Deno.test("confidence grows with the evidence, and each flag lowers it", async (t) => {
  const { chain, graph } = KNOWN;
  const many = { ...chain, nonce: 1e9 };
  const followed = { ...graph, followers: 1e9 };
  const cases: [string, Partial<ScoreSignals>, value: number, band: string][] =
    [
      ["nothing, freshly read", NOTHING, 0.1, "minimal"],
      ["all", { chain: many, graph: followed }, 1, "high"],
      ["some", {}, 0.59, "medium"],
      ["some, stale", { freshness: "stale" }, 0.51, "medium"],
      ["a part", { chain: { ...chain, isPartial: true } }, 0.51, "medium"],
      [
        "a part, stale",
        { chain: { ...chain, isPartial: true }, freshness: "stale" },
        0.51,
        "medium",
      ],
      ["no profile", { profile: NO_PROFILE }, 0.34, "low"],
      [
        "the least that is high", // 0.4 + 0.2 + 0.15
        {
          chain: many,
          profile: { ...NO_PROFILE, claimed: true },
          graph: NO_GRAPH,
        },
        0.75,
        "high",
      ],
      [
        "the least that is medium", // 0.1 + 0.15 + 0.1 + 0.15
        { chain: NO_CHAIN, graph: followed },
        0.5,
        "medium",
      ],
      [
        "the least that is low", // 0.1 + 0.15
        { ...NOTHING, profile: { ...NO_PROFILE, claimed: true } },
        0.25,
        "low",
      ],
      [
        "seven transactions", // 0.4 × (0.25 + 0.75 × 7/17) + 0.2 × 7/27
        { ...NOTHING, chain: { ...NO_CHAIN, nonce: 7 } },
        0.28,
        "low",
      ],
      [
        "the most that is medium", // 0.4 × (0.25 + 0.75 × 60/61) + 0.2 × 30/31 + 0.15
        {
          ...NOTHING,
          chain: { ...NO_CHAIN, nonce: 600 },
          profile: { ...NO_PROFILE, claimed: true },
        },
        0.74,
        "medium",
      ],
      [
        "the most that is low", // 0.4 × (0.25 + 0.75 × 48/58) + 0.2 × 48/68
        { ...NOTHING, chain: { ...NO_CHAIN, nonce: 48 } },
        0.49,
        "low",
      ],
      [
        "the most that is minimal", // 0.4 × (0.25 + 0.75 × 5/15) + 0.2 × 5/25
        { ...NOTHING, chain: { ...NO_CHAIN, nonce: 5 } },
        0.24,
        "minimal",
      ],
      [
        "all, with two flags", // 0.85²
        {
          chain: many,
          graph: { ...followed, mutual: 1e9, burst: 1e9 },
        },
        0.72,
        "medium",
      ],
    ];
  for (const [name, signals, value, band] of cases) {
    await t.step(`${name}: ${value}`, () => {
      const { s4, explanation } = scoreOf(
        { ...KNOWN, ...signals },
        NOW,
        S4_2026_2,
      );
      assertEquals(s4.confidence, value);
      assertEquals(explanation.confidence.value, value);
      assertEquals(explanation.confidence.band, band);
    });
  }
});

Deno.test("a donation to itself is an analysed flag even if the followers were not analysed", () => {
  const profile = { ...NO_PROFILE, selfDonated: true };
  const { graph, s4 } = scoreOf({ ...NOTHING, profile }, NOW, S4_2026_2);
  const flags = ["self_donation"];
  assertEquals(graph, { analyzed: true, flags, socialDamping: 0.9 });
  assertEquals(s4.economic, 0);
});
