/** Answers for test keys: real scores of made-up signals, and the errors that a program must tell apart. */
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
} from "../payments/plans_schema.ts";
import type { ScoreRead } from "../model/scores_schema.ts";
import type {
  BatchAnswer,
  HistoryAnswer,
} from "../model/score_lists_schema.ts";
import type { ScoresDeps } from "./deps.ts";
import { DAY_MS, dayAt, formatDay } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import { FIXTURE_NOW, fixtureSignals } from "./test_signals.ts";
import { planRequired, rateLimited } from "../accounts/refusals.ts";
import { batchItemOf } from "./batches.ts";
import { scoringDown } from "./scoring_down.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import { scoreOf } from "../model/model.ts";
import { MODEL_SCHEDULE, modelsAt } from "../model/model_schedule.ts";

type FixtureDeps = Pick<ScoresDeps, "publicUrl">;

/** The model of the answers, which do not change. */
const { current: MODEL } = modelsAt(FIXTURE_NOW, MODEL_SCHEDULE);

const FETCHED_AT = new Date(FIXTURE_NOW).toISOString();

/** Scores a test address as if it had been read live. */
export function readFixtureScore(
  deps: FixtureDeps,
  address: string,
): ScoreRead {
  const [fixture] = findFixtures(deps, "score", [address]);
  const signals = fixtureSignals(fixture!);
  // A live read of an address without signals fetches them.
  const freshness = signals.freshness === "none" ? "fresh" : signals.freshness;
  const read = { ...signals, freshness };
  const { model, ...score } = scoreOf(read, FIXTURE_NOW, MODEL);
  return { address, ...score, fetchedAt: FETCHED_AT, model };
}

/** Scores test addresses in the order given, as a batch does. */
export function readFixtureBatch(
  deps: FixtureDeps,
  addresses: readonly string[],
): BatchAnswer {
  const fixtures = findFixtures(deps, "batch", addresses);
  const at = { now: FIXTURE_NOW, current: MODEL, next: null };
  const results = addresses.map((address, index) =>
    batchItemOf(address, fixtureSignals(fixtures[index]!), at)
  );
  return {
    count: results.length,
    results,
    fetchedAt: FETCHED_AT,
    model: MODEL.id,
  };
}

/** Returns the history of a test address up to its fixed instant, oldest first. */
export function readFixtureHistory(
  deps: FixtureDeps,
  address: string,
  { days, breakdown: isWanted }: { days: number; breakdown: boolean },
): HistoryAnswer {
  const [fixture] = findFixtures(deps, "history", [address]);
  const count = fixture === "none" ? 0 : days;
  const history = Array.from({ length: count }, (_, nth) => {
    const daysBefore = count - 1 - nth;
    const at = FIXTURE_NOW - daysBefore * DAY_MS;
    const { headline, score, tier, tierLabel, breakdown, model } = scoreOf(
      fixtureSignals(fixture!, daysBefore),
      at,
      MODEL,
    );
    return {
      date: formatDay(dayAt(at)),
      score,
      tier,
      tierLabel,
      headline,
      model,
      ...(isWanted ? { breakdown } : {}),
    };
  });
  return {
    address,
    days,
    count,
    history,
    fetchedAt: FETCHED_AT,
    model: MODEL.id,
  };
}

/** Refuses to sign for a test key: a signature would vouch for a made-up score. */
export function refuseFixtureSigned(): never {
  throw new Fault("Cannot sign a score: test keys get no signed answers", {
    kind: "signingDisabled",
  });
}

/** Returns the quota status that goes with a simulated refusal, of the Free plan whatever the caller's own is. */
export function refusedQuotaStatus(
  status: QuotaStatus,
  { failure }: Fault,
  now: number,
): QuotaStatus {
  if (failure.kind === "planRequired") {
    const { requests: limit } = PLANS.free;
    return { ...status, limit, remaining: Math.max(0, limit - status.used) };
  }
  if (failure.kind === "rateLimited") {
    const resetAt = now + failure.retryAfterMs;
    return { ...status, burst: { ...status.burst, remaining: 0, resetAt } };
  }
  return status;
}

const SCORED = new Map<string, ScoredFixture>(
  Object.entries(SCORED_FIXTURES)
    .map(([name, { address }]) => [address, name as ScoredFixture]),
);
const FAILED = new Map<string, FailedFixture>(
  Object.entries(FAILED_FIXTURES)
    .map(([name, { address }]) => [address, name as FailedFixture]),
);

/** Finds the fixtures of test addresses; throws the first simulated error among them. */
function findFixtures(
  deps: FixtureDeps,
  endpoint: Metered,
  addresses: readonly string[],
): ScoredFixture[] {
  const invalid = addresses.filter((address) =>
    !SCORED.has(address) && !FAILED.has(address)
  );
  if (invalid.length > 0) throw notFixtures(deps, endpoint, invalid);
  return addresses.map((address) => {
    const failed = FAILED.get(address);
    if (failed !== undefined) {
      const burst = BURSTS[METERED[endpoint].burst];
      const { message, failure } = FAULTS[failed]({ ...deps, burst });
      throw new Fault(message, failure, { isSimulated: true });
    }
    return SCORED.get(address)!;
  });
}

function notFixtures(
  { publicUrl }: FixtureDeps,
  endpoint: Metered,
  invalid: readonly string[],
): Fault {
  return new Fault(
    `Invalid address "${
      invalid[0]
    }": expected, for a test key, one of the testAddresses listed at ${publicUrl}/api/v1`,
    {
      kind: "badInput",
      parameter: endpoint === "batch" ? "addresses" : "address",
      invalid,
    },
  );
}

/** What the message of an error depends on. */
interface FaultFacts extends FixtureDeps {
  readonly burst: BurstLimit;
}

/** The simulated errors, worded as the real ones. */
const FAULTS: Readonly<Record<FailedFixture, (facts: FaultFacts) => Fault>> = {
  planRequired: ({ publicUrl }) => planRequired(publicUrl, "free", "builder"),
  rateLimited: ({ burst }) =>
    rateLimited(burst.requests, {
      retryAfterMs: 30_000,
      needed: 1,
      remaining: 0,
    }),
  scoringDown: () => scoringDown("the explorer index", 30_000),
};
