/** What test keys are answered: scores by the real model of invented signals, and every error. */
import {
  FAILED_FIXTURES,
  type FailedFixture,
  SCORED_FIXTURES,
  type ScoredFixture,
} from "./test_addresses_schema.ts";
import {
  type BurstLimit,
  BURSTS,
  METERED,
  type Metered,
  PLANS,
} from "../../payments/plans_schema.ts";
import type {
  BatchAnswer,
  HistoryAnswer,
  ScoreRead,
} from "../model/scores_schema.ts";
import type { ScoresDeps } from "../deps.ts";
import { DAY_MS, dayAt, formatDay } from "../../platform/days.ts";
import { Fault } from "../../platform/fault.ts";
import { FIXTURE_NOW, fixtureSignals } from "./test_signals.ts";
import { legacyScoreOf } from "../model/legacy_score.ts";
import type { QuotaStatus } from "../../accounts/quota/quota.ts";
import { MODELS, scoreOf } from "../model/model.ts";

type FixtureDeps = Pick<ScoresDeps, "publicUrl">;

/** Days that a history goes back at most. */
const HISTORY_DAYS = 90;

const FETCHED_AT = new Date(FIXTURE_NOW).toISOString();

/** Scores a fixture as if it had been read live. */
export function readFixtureScore(
  deps: FixtureDeps,
  address: string,
): ScoreRead {
  const [fixture] = findFixtures(deps, "score", [address]);
  const signals = fixtureSignals(fixture!);
  // Whoever was never scored is read when they are.
  const freshness = signals.freshness === "none" ? "fresh" : signals.freshness;
  const read = { ...signals, freshness };
  const { model, ...score } = scoreOf(read, FIXTURE_NOW);
  return { address, ...score, fetchedAt: FETCHED_AT, model };
}

/** Screens fixtures in the order given. */
export function readFixtureBatch(
  deps: FixtureDeps,
  addresses: readonly string[],
): BatchAnswer {
  const fixtures = findFixtures(deps, "batch", addresses);
  const results = addresses.map((address, index) => {
    const signals = fixtureSignals(fixtures[index]!);
    const { score, tier, tierLabel, s4, graph, verifiedHuman } = scoreOf(
      signals,
      FIXTURE_NOW,
    );
    const screened = { score, tier, tierLabel, s4, graph, verifiedHuman };
    return { address, ...screened, signals: signals.freshness };
  });
  return {
    count: results.length,
    results,
    fetchedAt: FETCHED_AT,
    model: MODELS.response,
  };
}

/** Reads the days of a fixture up to its fixed instant, oldest first. */
export function readFixtureHistory(
  deps: FixtureDeps,
  address: string,
  { days, breakdown: isWanted }: { days: number; breakdown: boolean },
): HistoryAnswer {
  const [fixture] = findFixtures(deps, "history", [address]);
  const count = fixture === "none" ? 0 : Math.min(days, HISTORY_DAYS);
  const history = Array.from({ length: count }, (_, nth) => {
    const daysBefore = count - 1 - nth;
    const at = FIXTURE_NOW - daysBefore * DAY_MS;
    const { breakdown, ...legacy } = legacyScoreOf(
      fixtureSignals(fixture!, daysBefore),
      at,
    );
    const date = formatDay(dayAt(at));
    return { date, ...legacy, ...(isWanted ? { breakdown } : {}) };
  });
  return {
    address,
    days,
    count,
    history,
    fetchedAt: FETCHED_AT,
    model: MODELS.response,
  };
}

/** Refuses to sign for a test key: who trusts a signature would trust an invented score. */
export function refuseFixtureSigned(): never {
  throw new Fault("Cannot sign a score: test keys get no signed answers", {
    kind: "signingDisabled",
  });
}

/** The plan that invented refusals speak of, whatever the caller's own: they are the same for everybody. */
const REFUSED_PLAN = PLANS.free;

/** Returns how a caller stands whom a fixture refuses: as a real refusal would say it. */
export function refusedQuotaStatus(
  status: QuotaStatus,
  { failure }: Fault,
  now: number,
): QuotaStatus {
  const { requests: limit } = REFUSED_PLAN;
  switch (failure.kind) {
    case "planRequired": {
      const used = status.limit - status.remaining;
      return { ...status, limit, remaining: Math.max(0, limit - used) };
    }
    case "rateLimited": {
      const resetAt = now + failure.retryAfterMs;
      const burst = { ...status.burst, remaining: 0, resetAt };
      return { ...status, burst };
    }
    case "quotaExceeded": {
      const resetAt = now + failure.retryAfterMs;
      return { ...status, limit, remaining: 0, resetAt };
    }
    default:
      return status;
  }
}

const SCORED = new Map<string, ScoredFixture>(
  Object.entries(SCORED_FIXTURES)
    .map(([name, { address }]) => [address, name as ScoredFixture]),
);
const FAILED = new Map<string, FailedFixture>(
  Object.entries(FAILED_FIXTURES)
    .map(([name, { address }]) => [address, name as FailedFixture]),
);

/** Finds the fixtures of addresses; throws the first error among them. */
function findFixtures(
  deps: FixtureDeps,
  endpoint: Metered,
  addresses: readonly string[],
): ScoredFixture[] {
  const invalid = addresses.filter((address) =>
    !SCORED.has(address) && !FAILED.has(address)
  );
  if (invalid.length > 0) throw notFixtures(deps, invalid);
  return addresses.map((address) => {
    const failed = FAILED.get(address);
    if (failed !== undefined) {
      const burst = BURSTS[METERED[endpoint].burst];
      throw FAULTS[failed]({ ...deps, burst });
    }
    return SCORED.get(address)!;
  });
}

function notFixtures(
  { publicUrl }: FixtureDeps,
  invalid: readonly string[],
): Fault {
  return new Fault(
    `Cannot score with a test key: accepted are the testAddresses that ${publicUrl}/api/v1 lists`,
    { kind: "badInput", parameter: "address", invalid },
  );
}

/** What the words of an error depend on. */
interface FaultFacts extends FixtureDeps {
  readonly burst: BurstLimit;
}

/** The errors, worded as real ones are. */
const FAULTS: Readonly<Record<FailedFixture, (facts: FaultFacts) => Fault>> = {
  planRequired: ({ publicUrl }) =>
    new Fault(
      `Cannot use this endpoint on the ${REFUSED_PLAN.label} plan: ` +
        `it is included from ${PLANS.builder.label} on`,
      {
        kind: "planRequired",
        requiredPlan: "builder",
        upgrade: `${publicUrl}/dashboard`,
      },
    ),
  rateLimited: ({ burst }) =>
    new Fault(
      `Cannot serve the request: the limit is ${burst.requests} requests a minute`,
      { kind: "rateLimited", retryAfterMs: 30_000, needed: 1, remaining: 0 },
    ),
  quotaExceeded: () =>
    new Fault(
      `Cannot serve the request: the limit is ${REFUSED_PLAN.requests} requests in 30 days`,
      { kind: "quotaExceeded", retryAfterMs: DAY_MS, needed: 1, remaining: 0 },
    ),
  scoringDown: () =>
    new Fault(
      "Cannot score the address: the explorer index is out of reach and nothing is stored",
      {
        kind: "scoringDown",
        upstream: "the explorer index",
        retryAfterMs: 30_000,
      },
    ),
  contended: () =>
    new Fault("Cannot count the request: too many others are counted", {
      kind: "contended",
      retryAfterMs: 1_000,
    }),
};
