/**
 * Known answers of the model. A score can be reproduced from its model's name, so
 * no figure of a published model may change: a change is a new model.
 */
import { assertEquals } from "@std/assert";
import { analyzeFollowers } from "../../../services/model/follower_analysis.ts";
import { scoreOf } from "../../../services/model/model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import {
  SCORED_FIXTURES,
  type ScoredFixture,
} from "../../../services/scores/test_addresses_schema.ts";
import {
  FIXTURE_NOW,
  fixtureSignals,
} from "../../../services/scores/test_key_answers.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import known from "../../fixtures/known_scores.json" with { type: "json" };

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
