import known from "../../fixtures/known_scores.json" with { type: "json" };
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  BatchAnswer,
  BatchItem,
  HistoryAnswer,
  MODEL_TABLES,
  ScoreRead,
} from "../../../services/model/scores_schema.ts";
import { DIMENSIONS } from "../../../services/model/score_terms_schema.ts";
import { tierOf } from "../../../services/model/scoring_model.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  useOf,
} from "../../../services/model/signals.ts";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import {
  modelsAt,
  scoreOf,
  type ScoreSignals,
  tablesHashOf,
} from "../../../services/model/model.ts";
import { fc } from "../../support/properties.ts";
import { SignedAnswer } from "../../../services/attestations/attestations_schema.ts";
import { analyzeFollowers } from "../../../services/model/follower_analysis.ts";
import {
  FIXTURE_NOW,
  fixtureSignals,
  SCORED_FIXTURES,
  type ScoredFixture,
} from "../../../services/scores/test_key_answers.ts";

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
    use: useOf([0, 0, 180, 360].map((days) => ({
      at: NOW - days * DAY_MS,
      to: "0xa",
      gasUnits: 1_000_000,
      failed: false,
    }))),
    fetchedAt: NOW,
  },
  profile: {
    claimed: true,
    socials: [
      { kind: "github", verifiedAt: NOW },
      { kind: "x", verifiedAt: NOW },
    ],
    proofs: [],
    premiumMonths: 6,
    paidSlug: true,
    donatedUsdc: 25,
    selfDonated: false,
    verifiedHuman: 12,
    isHumanNow: true,
  },
  graph: {
    ...NO_GRAPH,
    analyzed: true,
    followers: 40,
    paidMass: 31,
    sharedPaidMass: 31,
  },
  freshness: "fresh",
};

Deno.test("scoreOf() gives the score that was worked out by hand", () => {
  const { headline, s4, graph, verifiedHuman, ...rest } = scoreOf(
    KNOWN,
    NOW,
    S4_2026_3,
  );
  assertEquals(s4, {
    // 1 − (1 − 0.3 × (1 − 2^(−360/730)) − 0.4 × 3/15) × (1 − 0.45 × 0.09) × (1 − 0.036)
    humanity: 22.9,
    activity: 1, // days weigh 1.75, transactions 2.75
    social: 19.1, // mass 31
    economic: 12.8, // 4.6 + 4.6 + 3 + 0.5
    composite: 14.92, // 0.35 × 22.9 + 0.2 × 1 + 0.15 × 19.1 + 0.3 × 12.8
    confidence: 0.59, // 0.4 × 0.464 + 0.2 × 4/24 + 0.15 + 0.1 + 0.15 × 0.8
  });
  assertEquals(headline, {
    score: 15,
    tier: "rising",
    tierLabel: "Rising",
    model: "s4-composite",
  });
  assertEquals(graph, { analyzed: true, flags: [], socialDamping: 1 });
  assertEquals(verifiedHuman, 12);
  assertEquals([rest.score, rest.tier], [15, "rising"]);
  assertEquals(rest.breakdown.total, s4.composite);
  assertEquals(rest.model, "s4-2026.3");
});

Deno.test("scoreOf() answers what the contract says, field for field and in its order", () => {
  const head = { address: ADDRESS };
  const { model, ...score } = scoreOf(KNOWN, NOW, S4_2026_3);
  const fetchedAt = new Date(NOW).toISOString();
  const shown = { verifiedHumanEvidence: null, humanProofs: [] };
  const read = { ...head, ...score, ...shown, fetchedAt, model };
  assertEquals(JSON.stringify(ScoreRead.parse(read)), JSON.stringify(read));
});

Deno.test("a batch item that was never scored is zeroes, and keeps its Verified Human number", () => {
  const never = scoreOf({ ...KNOWN, freshness: "none" }, NOW, S4_2026_3);
  const { score, tier, tierLabel, s4, graph, verifiedHuman } = never;
  const given = { score, tier, tierLabel, s4, graph, verifiedHuman };
  const unknown = { headline: null, costToFake: null, signals: "none" };
  const item = { address: ADDRESS, ...given, ...unknown };
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
    costToFake: null,
    signals: "none",
  });
});

Deno.test("the composite, the headline and its tier follow from the numbers in the answer", () => {
  const weights = { humanity: 35, activity: 20, social: 15, economic: 30 };
  const addresses = fc.record({
    days: fc.nat(2_000),
    nonce: fc.nat(2_000),
    gasUnits: fc.nat(900_000),
    paidMass: fc.double({ min: 0, max: 300, noNaN: true }),
    premiumMonths: fc.nat(14),
  });
  fc.assert(
    fc.property(addresses, ({ days, nonce, gasUnits, ...more }) => {
      const firstTxAt = NOW - days * DAY_MS;
      const recentTxAt = [firstTxAt + Math.floor((NOW - firstTxAt) / 2)];
      const { s4, headline } = scoreOf(
        {
          ...NOTHING,
          chain: {
            ...NO_CHAIN,
            firstTxAt,
            recentTxAt,
            nonce,
            use: {
              count: 1,
              days: [{ day: dayAt(recentTxAt[0]!), gasUnits, varied: 1 }],
            },
          },
          profile: { ...NO_PROFILE, premiumMonths: more.premiumMonths },
          graph: { ...NO_GRAPH, sharedPaidMass: more.paidMass },
        },
        NOW,
        S4_2026_3,
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
        tierOf(headline.score, S4_2026_3.floors).tier,
      );
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a busy wallet without a profile is elite at most", () => {
  const days = Array.from({ length: 5_000 }, (_, nth) => ({
    day: dayAt(NOW) - nth,
    gasUnits: 1e9,
    varied: 1_000,
  }));
  const { headline, s4 } = scoreOf(
    {
      ...NOTHING,
      chain: {
        ...NO_CHAIN,
        firstTxAt: NOW - 1e5 * DAY_MS,
        recentTxAt: [NOW],
        nonce: 5e6,
        use: { count: 5e6, days },
      },
    },
    NOW,
    S4_2026_3,
  );
  // Half of activity counts the days, which fade.
  assertEquals([s4.social, headline.tier], [0, "elite"]);
  assert(s4.composite > 63 && s4.composite < 69.7, `${s4.composite}`);
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
        S4_2026_3,
      );
      assertEquals(s4.confidence, value);
      assertEquals(explanation.confidence.value, value);
      assertEquals(explanation.confidence.band, band);
    });
  }
});

Deno.test("a donation to itself is an analysed flag even if the followers were not analysed", () => {
  const profile = { ...NO_PROFILE, selfDonated: true };
  const { graph, s4 } = scoreOf({ ...NOTHING, profile }, NOW, S4_2026_3);
  const flags = ["self_donation"];
  assertEquals(graph, { analyzed: true, flags, socialDamping: 0.9 });
  assertEquals(s4.economic, 0);
});

// The descriptions of answers say what the tables of the model are.

Deno.test("the hash of the model's tables is the one in the description of every answer's model", () => {
  assertEquals(
    tablesHashOf(S4_2026_3),
    MODEL_TABLES,
    "the tables changed: give the model a new id, or, before its release, update this hash",
  );
  for (const answer of [ScoreRead, BatchAnswer, HistoryAnswer, SignedAnswer]) {
    assert(answer.shape.model.description?.includes(MODEL_TABLES));
  }
});

// Known answers of the model. A score can be reproduced from its model's name, so
// no figure of a published model may change: a change is a new model.

const NAMES = Object.keys(SCORED_FIXTURES) as ScoredFixture[];

/** Changes of an address that concern one part of a model each. */
const VARIANTS = {
  asItIs: {},
  followed: { chain: { alike: 3 } },
  collected: { chain: { origin: { payers: 4, delayDays: 1 } } },
  noAccount: {
    profile: {
      socials: [
        {
          kind: "github",
          verifiedAt: FIXTURE_NOW - 20 * DAY_MS,
          account: null,
        },
        { kind: "email", verifiedAt: FIXTURE_NOW - 1 * DAY_MS, account: null },
      ],
    },
  },
  youngAccount: {
    profile: {
      socials: [{
        kind: "github",
        verifiedAt: FIXTURE_NOW - 300 * DAY_MS,
        account: { createdAt: FIXTURE_NOW - 200 * DAY_MS, publicWork: 4 },
      }],
    },
  },
} as const;

/** Seven digits: more than any rounding of an answer, and fewer than machines differ in. */
const rounded = (value: number) => Number(value.toPrecision(7));

function answersOf(fixture: ScoredFixture, variant: keyof typeof VARIANTS) {
  const signals = fixtureSignals(fixture, 3);
  const change: { chain?: object; profile?: object } = VARIANTS[variant];
  const { chain, profile, graph, freshness } = {
    ...signals,
    chain: { ...signals.chain, ...change.chain },
    // The answers are older than the readers of proofs.
    profile: { ...signals.profile, proofs: [], ...change.profile },
  };
  const now = FIXTURE_NOW;
  const followers = analyzeFollowers(graph, profile);
  const measures = S4_2026_3.summarize(chain, now)
    .measure({ profile, graph }, followers);
  const score = scoreOf(
    { chain, profile, graph, freshness },
    now,
    S4_2026_3,
  );
  const { s4, explanation, breakdown, costToFake } = score;
  const figures = [
    ...Object.values(measures).flatMap((parts): number[] =>
      Object.values(parts)
    ),
    followers.mass,
    followers.damping,
    ...Object.values(s4),
    ...Object.values(breakdown),
    costToFake.usd,
    costToFake.alone,
    costToFake.days,
  ];
  const reasons = explanation.reasons.map(({ code }) => code);
  return [figures.map(rounded).join(" "), ...reasons].join(" ");
}

Deno.test("the model measures and scores known addresses as it always did", () => {
  const answers = Object.fromEntries(
    NAMES.flatMap((fixture) =>
      (Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]).map((variant) => [
        `${fixture} ${variant}`,
        answersOf(fixture, variant),
      ])
    ),
  );
  assertEquals(answers, known);
});

Deno.test("modelsAt() names the announced model for thirty days, and then uses it", () => {
  const later = { ...S4_2026_3, id: "s4-2027.1" };
  const schedule = [
    { model: S4_2026_3, announcedOn: null },
    { model: later, announcedOn: "2026-11-01" },
  ];
  const at = (instant: string) => {
    const { current, next } = modelsAt(Date.parse(instant), schedule);
    return [current.id, next?.model.id, next?.announcedOn, next?.usedFrom];
  };
  const announced = ["s4-2026.3", "s4-2027.1", "2026-11-01", "2026-12-01"];
  const none = [undefined, undefined, undefined];
  assertEquals(at("2026-10-31T23:59:59.999Z"), ["s4-2026.3", ...none]);
  assertEquals(at("2026-11-01T00:00:00Z"), announced);
  assertEquals(at("2026-11-30T23:59:59.999Z"), announced);
  assertEquals(at("2026-12-01T00:00:00Z"), ["s4-2027.1", ...none]);
});
