/** The signals of the test addresses: made up, and fixed in time. */
import type { ScoredFixture } from "./test_addresses_schema.ts";
import { SOCIAL_KINDS, type SocialKind } from "../model/score_terms_schema.ts";
import { DAY_MS } from "../platform/days.ts";
import type { ScoreSignals } from "../model/model.ts";
import { useOf } from "../model/own_use.ts";
import {
  type AccountFacts,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../model/signals.ts";

/** The time of every test answer, epoch ms: 2026-01-01T12:00:00Z. */
export const FIXTURE_NOW = Date.UTC(2026, 0, 1, 12);

/** Age of all links to other accounts, and what GitHub says about its accounts. */
const LINK_AGE_MS = 400 * DAY_MS;
const GITHUB_ACCOUNT: AccountFacts = {
  createdAt: Date.UTC(2016, 0, 1),
  publicWork: 100,
};

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

const SKETCHES: Readonly<Record<ScoredFixture, Sketch>> = {
  starter: {},
  newcomer: { ageDays: 60, txs: 40, gasAvax: 0.02 },
  rising: { ageDays: 300, txs: 120, gasAvax: 0.4 },
  established: KNOWN,
  elite: {
    ...KNOWN,
    ageDays: 1_400,
    txs: 900,
    gasAvax: 12,
    socials: ["github", "x", "farcaster", "domain"],
    profile: { premiumMonths: 9, paidSlug: true, donatedUsdc: 100 },
    graph: { followers: 120, paidMass: 60, sharedPaidMass: 60 },
  },
  legendary: {
    ...KNOWN,
    ageDays: 1_000,
    txs: 1_000,
    gasAvax: 40,
    socials: SOCIAL_KINDS,
    profile: {
      premiumMonths: 12,
      paidSlug: true,
      donatedUsdc: 1_000,
      verifiedHuman: 1,
      isHumanNow: true,
    },
    graph: { followers: 700, paidMass: 500, sharedPaidMass: 500 },
  },
  follow_ring: {
    ...KNOWN,
    graph: {
      followers: 40,
      paidMass: 25,
      mutual: 36,
      mutualPaidMass: 24,
    },
  },
  follower_burst: {
    ...KNOWN,
    graph: { followers: 40, paidMass: 25, burst: 36, burstPaidMass: 24 },
  },
  thin_followers: {
    ...KNOWN,
    graph: { followers: 40, paidMass: 2, freeMass: 1.9, thin: 36 },
  },
  self_donation: { ...KNOWN, profile: { selfDonated: true } },
  stale: { ...KNOWN, freshness: "stale" },
  none: { freshness: "none" },
  partial: { ...KNOWN, isPartial: true },
  contract: { ...KNOWN, isContract: true },
};

/** Returns the signals of a fixture some days before its fixed time. */
export function fixtureSignals(
  fixture: ScoredFixture,
  daysBefore = 0,
): ScoreSignals {
  const sketch = SKETCHES[fixture];
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
        method: `method ${nth % 12}`,
        paidAvax: gasAvax / txs,
        movesValue: false,
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
