/** Test keys: their addresses, and answers for them that never change: real scores of made-up signals, and the errors that a program must tell apart. */
import {
  type BurstLimit,
  BURSTS,
  METERED,
  type Metered,
  PLANS,
} from "../payments/plans_schema.ts";
import type {
  BatchAnswer,
  HistoryAnswer,
  ScoreRead,
} from "../model/scores_schema.ts";
import { batchItemOf, scoringDown } from "./scores.ts";
import { DAY_MS, dayAt, formatDay } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import { limitReached, planRequired } from "../accounts/access.ts";
import {
  type ProofRecord,
  proofSignalsOf,
  showProofs,
} from "../profiles/human_proofs.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import {
  MODEL_SCHEDULE,
  modelsAt,
  scoreOf,
  type ScoreSignals,
} from "../model/model.ts";
import { SOCIAL_KINDS, type SocialKind } from "../model/score_terms_schema.ts";
import {
  type AccountFacts,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
  useOf,
} from "../model/signals.ts";

/** The time of every test answer, epoch ms: 2026-01-01T12:00:00Z. */
export const FIXTURE_NOW = Date.UTC(2026, 0, 1, 12);

/** Age of all links to other accounts, and what GitHub says about its accounts. */
const LINK_AGE_MS = 400 * DAY_MS;
const GITHUB_ACCOUNT: AccountFacts = {
  createdAt: Date.UTC(2016, 0, 1),
  publicWork: 100,
};

/** What gas cost those who used the addresses, in AVAX a unit. */
const GAS_PRICE_AVAX = 25e-9;

/** What the Verified Human number of a test address rests on. */
const PROVEN = {
  record: {
    reads: {
      worldId: {
        readAt: FIXTURE_NOW - DAY_MS,
        failedAt: null,
        proof: {
          strength: 1,
          verifiedAt: FIXTURE_NOW - 60 * DAY_MS,
          expiresAt: FIXTURE_NOW + 108 * DAY_MS,
        },
      },
    },
    queuedAt: null,
  },
  evidence: {
    rule: "uniqueHuman",
    kinds: ["worldId"],
    since: new Date(FIXTURE_NOW - 60 * DAY_MS).toISOString(),
  },
} satisfies {
  record: ProofRecord;
  evidence: NonNullable<ScoreRead["verifiedHumanEvidence"]>;
};

/** What the answers depend on beside the address. */
interface FixtureDeps {
  readonly publicUrl: string;
}

/** A short description of an address. Absent fields mean no such signal. */
interface Sketch {
  /** Days since the first transaction; the transactions are spread evenly until now. */
  readonly ageDays?: number;
  readonly txs?: number;
  readonly gasAvax?: number;
  readonly isContract?: boolean;
  readonly isPartial?: boolean;
  readonly freshness?: ScoreSignals["freshness"];
  readonly socials?: readonly SocialKind[];
  readonly profile?: Partial<ProfileSignals>;
  readonly graph?: Partial<GraphSignals>;
}

/** An address with a profile and followers, on which the flags are based. */
const KNOWN = {
  ageDays: 700,
  txs: 200,
  gasAvax: 0.8,
  socials: ["github", "x"],
  profile: { premiumMonths: 3 },
  graph: { followers: 40, paidMass: 25, sharedPaidMass: 25 },
} as const satisfies Sketch;

/** A test address, and what its answer demonstrates. */
interface FixtureAddress {
  readonly address: string;
  readonly shows: string;
}

/** The test addresses that return a score: with a test key always the same published one. */
export const SCORED_FIXTURES = {
  starter: {
    address: "0x7e57000000000000000000000000000000000001",
    shows: "tier starter: an address that never sent a transaction",
    sketch: {},
  },
  newcomer: {
    address: "0x7e57000000000000000000000000000000000002",
    shows: "tier newcomer",
    sketch: { ageDays: 60, txs: 40, gasAvax: 0.02 },
  },
  rising: {
    address: "0x7e57000000000000000000000000000000000003",
    shows: "tier rising",
    sketch: { ageDays: 300, txs: 120, gasAvax: 0.4 },
  },
  established: {
    address: "0x7e57000000000000000000000000000000000004",
    shows: "tier established",
    sketch: KNOWN,
  },
  elite: {
    address: "0x7e57000000000000000000000000000000000005",
    shows: "tier elite",
    sketch: {
      ageDays: 1_400,
      txs: 900,
      gasAvax: 3,
      socials: ["github", "x", "farcaster", "domain"],
      profile: { premiumMonths: 9, paidSlug: true, donatedUsdc: 100 },
      graph: { followers: 120, paidMass: 60, sharedPaidMass: 60 },
    },
  },
  legendary: {
    address: "0x7e57000000000000000000000000000000000006",
    shows: "tier legendary, with a Verified Human number",
    sketch: {
      ageDays: 1_000,
      txs: 1_000,
      gasAvax: 40,
      socials: SOCIAL_KINDS,
      profile: {
        premiumMonths: 12,
        paidSlug: true,
        donatedUsdc: 1_000,
        proofs: proofSignalsOf(PROVEN.record),
        verifiedHuman: 1,
        isHumanNow: true,
      },
      graph: { followers: 700, paidMass: 500, sharedPaidMass: 500 },
    },
  },
  follow_ring: {
    address: "0x7e57000000000000000000000000000000000011",
    shows: "flag follow_ring",
    sketch: {
      ...KNOWN,
      graph: { ...KNOWN.graph, mutual: 36, mutualPaidMass: 24 },
    },
  },
  follower_burst: {
    address: "0x7e57000000000000000000000000000000000012",
    shows: "flag follower_burst",
    sketch: {
      ...KNOWN,
      graph: { ...KNOWN.graph, burst: 36, burstPaidMass: 24 },
    },
  },
  thin_followers: {
    address: "0x7e57000000000000000000000000000000000013",
    shows: "flag thin_followers",
    sketch: {
      ...KNOWN,
      graph: {
        followers: 40,
        paidMass: 2,
        sharedPaidMass: 2,
        freeMass: 1.9,
        thin: 36,
      },
    },
  },
  self_donation: {
    address: "0x7e57000000000000000000000000000000000014",
    shows: "flag self_donation",
    sketch: { ...KNOWN, profile: { selfDonated: true } },
  },
  stale: {
    address: "0x7e57000000000000000000000000000000000021",
    shows: "signals stale: reason STALE_SIGNALS",
    sketch: { ...KNOWN, freshness: "stale" },
  },
  none: {
    address: "0x7e57000000000000000000000000000000000022",
    shows: "signals none in a batch, and an empty history",
    sketch: { freshness: "none" },
  },
  partial: {
    address: "0x7e57000000000000000000000000000000000023",
    shows: "a part of the signals: reason PARTIAL_SIGNALS",
    sketch: { ...KNOWN, isPartial: true },
  },
  contract: {
    address: "0x7e57000000000000000000000000000000000024",
    shows: "a contract account: reason CONTRACT_ACCOUNT",
    sketch: { ...KNOWN, isContract: true },
  },
} as const satisfies Record<string, FixtureAddress & { sketch: Sketch }>;

/** The name of a test address that returns a score. */
export type ScoredFixture = keyof typeof SCORED_FIXTURES;

/** What the message of an error depends on. */
interface FaultFacts extends FixtureDeps {
  readonly burst: BurstLimit;
}

/**
 * The test addresses that return an error, worded as the real one. One of them in a
 * batch fails the whole batch.
 */
export const FAILED_FIXTURES = {
  planRequired: {
    address: "0x7e57000000000000000000000000000000000402",
    shows: "402 PLAN_REQUIRED, as on the Free plan",
    faultOf: ({ publicUrl }) => planRequired(publicUrl, "free", "builder"),
  },
  rateLimited: {
    address: "0x7e57000000000000000000000000000000000429",
    shows: "429 RATE_LIMITED: the burst of a minute is used up",
    faultOf: ({ burst }) =>
      limitReached("burst", burst.requests, {
        retryAfterMs: 30_000,
        needed: 1,
        remaining: 0,
      }),
  },
  scoringDown: {
    address: "0x7e57000000000000000000000000000000000500",
    shows: "500 UPSTREAM_UNAVAILABLE: scoring failed, safe to retry",
    faultOf: () => scoringDown("the explorer index", 30_000),
  },
} as const satisfies Record<
  string,
  FixtureAddress & { faultOf: (facts: FaultFacts) => Fault }
>;

/** All test addresses in the order of publication. */
export const FIXTURE_ADDRESSES: readonly FixtureAddress[] = [
  ...Object.values(SCORED_FIXTURES),
  ...Object.values(FAILED_FIXTURES),
].map(({ address, shows }) => ({ address, shows }));

/** Returns the signals of a fixture some days before its fixed time. */
export function fixtureSignals(
  fixture: ScoredFixture,
  daysBefore = 0,
): ScoreSignals {
  const { sketch }: { readonly sketch: Sketch } = SCORED_FIXTURES[fixture];
  const now = FIXTURE_NOW - daysBefore * DAY_MS;
  const { ageDays = 0, txs = 0, gasAvax = 0, socials = [] } = sketch;
  const times = Array.from(
    { length: txs },
    (_, nth) => FIXTURE_NOW - Math.floor(nth * ageDays * DAY_MS / txs),
  ).filter((at) => at <= now);
  const hasProfile = sketch.socials !== undefined;
  return {
    chain: {
      ...NO_CHAIN,
      firstTxAt: times.at(-1) ?? null,
      recentTxAt: times,
      nonce: times.length,
      gasAvax: txs === 0 ? 0 : gasAvax * times.length / txs,
      use: useOf(times.map((at, nth) => ({
        at: at + nth * 617_000 % DAY_MS,
        to: `target ${nth % 25}`,
        gasUnits: Math.round(gasAvax / txs / GAS_PRICE_AVAX),
        failed: false,
      }))),
      isContract: sketch.isContract ?? false,
      isPartial: sketch.isPartial ?? false,
      fetchedAt: now,
    },
    profile: {
      ...NO_PROFILE,
      claimed: hasProfile,
      socials: socials.map((kind) => ({
        kind,
        verifiedAt: FIXTURE_NOW - LINK_AGE_MS,
        account: kind === "github" ? GITHUB_ACCOUNT : null,
      })),
      ...sketch.profile,
    },
    graph: { ...NO_GRAPH, analyzed: hasProfile, ...sketch.graph },
    freshness: sketch.freshness ?? "fresh",
  };
}

/** The model of the answers, which do not change. */
const { current: MODEL } = modelsAt(FIXTURE_NOW, MODEL_SCHEDULE);

const READ_WITH = {
  fetchedAt: new Date(FIXTURE_NOW).toISOString(),
  model: MODEL.id,
};

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
  const { model: _, ...score } = scoreOf(read, FIXTURE_NOW, MODEL);
  const { verifiedHuman } = score;
  return {
    address,
    ...score,
    verifiedHumanEvidence: verifiedHuman === null ? null : PROVEN.evidence,
    humanProofs: verifiedHuman === null
      ? []
      : showProofs(PROVEN.record, FIXTURE_NOW),
    ...READ_WITH,
  };
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
  return { count: results.length, results, ...READ_WITH };
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
    const date = formatDay(dayAt(at));
    const entry = { date, score, tier, tierLabel, headline, model };
    return isWanted ? { ...entry, breakdown } : entry;
  });
  return { address, days, count, history, ...READ_WITH };
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

const SCORED = new Map(
  (Object.keys(SCORED_FIXTURES) as ScoredFixture[])
    .map((name) => [SCORED_FIXTURES[name].address as string, name]),
);
const FAILED = new Map(
  Object.values(FAILED_FIXTURES)
    .map(({ address, faultOf }) => [address as string, faultOf]),
);

/** Finds the fixtures of test addresses; throws the first simulated error among them. */
function findFixtures(
  { publicUrl }: FixtureDeps,
  endpoint: Metered,
  addresses: readonly string[],
): ScoredFixture[] {
  const invalid = addresses.filter((address) =>
    !SCORED.has(address) && !FAILED.has(address)
  );
  if (invalid.length > 0) {
    throw new Fault(
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
  const burst = BURSTS[METERED[endpoint].burst];
  return addresses.map((address) => {
    const fault = FAILED.get(address)?.({ publicUrl, burst });
    if (fault) {
      throw new Fault(fault.message, fault.failure, { isSimulated: true });
    }
    return SCORED.get(address)!;
  });
}
