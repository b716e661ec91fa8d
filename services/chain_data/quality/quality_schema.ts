/** The answer of `GET /quality`, and the identities that the series of a chain must satisfy. */
import { z } from "@hono/zod-openapi";
import {
  AgreementPct,
  ChainId,
  ChainName,
  CrossCheckSource,
  METRICS_SOURCE,
  RecentAgreementPct,
  SeriesCheck,
  SeriesSource,
  SourceUrl,
  Withdrawn,
} from "../catalogue/fields_schema.ts";
import {
  CHECK_NAMES,
  type DoubtKind,
  DOUBTS,
  INDEX_METRICS,
} from "../catalogue/cross_checks_schema.ts";
import {
  ChainProof,
  Coverage,
  UntrackedChains,
} from "../catalogue/chains_schema.ts";
import { Day, Instant } from "../../platform/wire_schema.ts";

/**
 * Identities between the series of one chain. Each compares two numbers per day;
 * its meaning names the left one first.
 */
const IDENTITIES = {
  cumulativeTxCountGrowsByTxCount: {
    meaning:
      "the growth of cumulativeTxCount since the day before (left) is txCount (right)",
  },
  avgTpsMatchesTxCount: {
    meaning:
      "avgTps × 86,400 (left) is txCount (right) within the rounding of avgTps to two decimals, 432 transactions; upstream divides by the time from last block to last block, so a chain with few blocks may differ by more",
  },
  avgTpsWithinMaxTps: {
    meaning: "avgTps (left) is at most maxTps (right)",
  },
  avgGpsWithinMaxGps: {
    meaning: "avgGps (left) is at most maxGps (right)",
  },
  activeSendersWithinActiveAddresses: {
    meaning: "activeSenders (left) is at most activeAddresses (right)",
  },
  cumulativeTxCountNeverFalls: {
    meaning:
      "cumulativeTxCount of the most recent earlier day with a value (left) is at most that of the day (right)",
  },
  cumulativeAddressesNeverFalls: {
    meaning:
      "cumulativeAddresses of the most recent earlier day with a value (left) is at most that of the day (right)",
  },
  cumulativeContractsNeverFalls: {
    meaning:
      "cumulativeContracts of the most recent earlier day with a value (left) is at most that of the day (right)",
  },
  cumulativeDeployersNeverFalls: {
    meaning:
      "cumulativeDeployers of the most recent earlier day with a value (left) is at most that of the day (right)",
  },
} as const satisfies Record<string, { meaning: string }>;

/** The name of an identity. Clients branch on it. */
export type IdentityName = keyof typeof IDENTITIES;
/** The names of the identities in the order of the catalogue. */
const IDENTITY_NAMES = Object.keys(IDENTITIES) as IdentityName[];

/** An identity as it is published. */
const Identity = z.object({
  name: z.enum(IDENTITY_NAMES).meta({
    description: "Name of the identity; branch on this",
    example: IDENTITY_NAMES[0]!,
  }),
  meaning: z.string().meta({
    description:
      "The condition that every day must meet, and which number is left or right",
    example: IDENTITIES[IDENTITY_NAMES[0]!].meaning,
  }),
}).meta({ id: "Identity" });
/** An identity as it is published. */
type Identity = z.infer<typeof Identity>;

/** The identities as they are published. */
export const IDENTITY_LIST: readonly Identity[] = IDENTITY_NAMES.map(
  (name) => ({ name, meaning: IDENTITIES[name].meaning }),
);

/** Maximum number of failing days that the answer lists for one chain. */
export const MAX_FAILING_DAYS = 100;

/** A day on which an identity fails, with the two compared numbers. */
const IdentityFailure = z.object({
  identity: z.enum(IDENTITY_NAMES).meta({
    description: "The identity that fails",
    example: "avgTpsWithinMaxTps",
  }),
  day: Day,
  left: z.number().meta({
    description: "The number that the identity's meaning calls left",
    example: 14.2,
  }),
  right: z.number().meta({
    description: "The number that the identity's meaning calls right",
    example: 13.9,
  }),
}).meta({ id: "IdentityFailure" });
/** A day on which an identity fails, with the two compared numbers. */
type IdentityFailure = z.infer<typeof IdentityFailure>;

/** The result of checking the stored series of a chain against the identities. */
export const ChainQuality = z.object({
  chainId: ChainId,
  chainName: ChainName,
  checkedDayCount: z.int().meta({
    description:
      "Checked days, counted once per identity, without incomplete and absent days; 0 if nothing is stored",
    example: 20214,
  }),
  failingDayCount: z.int().meta({
    description: "Failing days, counted once per identity",
    example: 1,
  }),
  failingDays: z.array(IdentityFailure).max(MAX_FAILING_DAYS).meta({
    description:
      `The newest ${MAX_FAILING_DAYS} failing days, newest first; failingDayCount counts all`,
  }),
}).meta({ id: "ChainQuality" });
/** The result of checking the stored series of a chain against the identities. */
export type ChainQuality = z.infer<typeof ChainQuality>;

/** How up to date a source is. */
export const SourceQuality = z.object({
  source: z.string().meta({
    description: "Name of the source",
    example: METRICS_SOURCE,
  }),
  url: SourceUrl,
  serves: z.string().meta({
    description: "Which data are read from it",
    example: "daily series of every chain",
  }),
  lastSuccessAt: Instant.nullable().meta({
    description: "When it was last read successfully; null if never",
  }),
  lagHours: z.number().nullable().meta({
    description: "Hours since the last successful read; null if never",
    example: 0.4,
  }),
}).meta({ id: "SourceQuality" });
/** How up to date a source is. */
export type SourceQuality = z.infer<typeof SourceQuality>;

/** How well the two sources of a checked series agree. */
export const CheckQuality = z.object({
  series: z.enum(CHECK_NAMES).meta({
    description: "Name of the checked series",
    example: "transactions",
  }),
  source: SeriesSource,
  crossCheckSource: CrossCheckSource,
  checkedThrough: Day.nullable().meta({
    description: "Newest compared day; null if no day was compared",
  }),
  comparedDayCount: z.int().meta({
    description: "Compared days: those that are complete in both sources",
    example: 2246,
  }),
  agreementPct: AgreementPct,
  recentAgreementPct: RecentAgreementPct,
  openDisputeCount: z.int().meta({
    description: "Days on which the sources disagree",
    example: 4,
  }),
}).meta({ id: "CheckQuality" });
/** How well the two sources of a checked series agree. */
export type CheckQuality = z.infer<typeof CheckQuality>;

/** How a metric of a chain compares with the explorer index. */
const ChainCheck = z.object({
  chainId: ChainId,
  chainName: ChainName,
  metric: z.enum(INDEX_METRICS).meta({
    description: "Name of the metric",
    example: "txCount",
  }),
  compared: SeriesCheck.shape.compared,
  reason: SeriesCheck.shape.reason,
  crossCheckSource: CrossCheckSource,
  checkedThrough: SeriesCheck.shape.checkedThrough,
  comparedDayCount: SeriesCheck.shape.comparedDayCount,
  notCoveredDayCount: SeriesCheck.shape.notCoveredDayCount,
  agreementPct: AgreementPct,
  recentAgreementPct: RecentAgreementPct,
  openDisputeCount: CheckQuality.shape.openDisputeCount,
}).meta({ id: "ChainCheck" });
/** How a metric of a chain compares with the explorer index. */
type ChainCheck = z.infer<typeof ChainCheck>;

/** Totals of the comparisons of a metric over all chains. */
const ChainCheckTotals = z.object({
  metric: ChainCheck.shape.metric,
  comparedChainCount: z.int().meta({
    description: "Chains that are compared",
    example: 22,
  }),
  comparedDayCount: z.int().meta({
    description: "Compared days of all chains",
    example: 18324,
  }),
  agreeingDayCount: z.int().meta({
    description: "Compared days on which the sources agree",
    example: 18322,
  }),
  disputedDayCount: z.int().meta({
    description: "Compared days on which the sources disagree",
    example: 2,
  }),
  notCoveredDayCount: z.int().meta({
    description:
      "Days on which the second source has zero beside traffic, or before its first value",
    example: 4,
  }),
}).meta({ id: "ChainCheckTotals" });

/** A run of days that a source withdraws. */
const WithdrawnDays = z.object({
  series: z.string().meta({
    description: "Name of the series",
    example: "txCount of chain 43114",
  }),
  from: Day.meta({ description: "First withdrawn day" }),
  to: Day.meta({ description: "Last withdrawn day" }),
  disputed: Withdrawn,
  answer: z.number().nullable().meta({
    description: "What the source returns now: 0, or null for no value",
    example: null,
  }),
  foundAt: Instant.meta({ description: "When a read first showed it" }),
  readCount: z.int().meta({
    description:
      "Consistent reads so far; three over at least two hours are accepted as a revision. 0 if the source returns no value at all",
    example: 1,
  }),
}).meta({ id: "WithdrawnDays" });

/** Rows of a source that cannot be read. */
const SetAsideRows = z.object({
  of: z.string().meta({
    description: "What the rows are of: a series, or a list",
    example: "txCount of chain 43114",
  }),
  rowCount: z.int().meta({
    description: "Rows that were set aside; the others are used",
    example: 1,
  }),
  days: z.array(Day).meta({
    description: "The days that the rows are about, where they say it",
  }),
  reason: z.string().meta({
    description: "Why the first of them cannot be read",
    example: "value is empty",
  }),
  foundAt: Instant.meta({ description: "When a read first showed one" }),
}).meta({ id: "SetAsideRows" });

/** A run of days of a source that can't be true. */
const DoubtedDays = z.object({
  series: WithdrawnDays.shape.series,
  from: Day.meta({ description: "First doubted day" }),
  to: Day.meta({ description: "Last doubted day" }),
  reason: z.enum(Object.keys(DOUBTS) as [DoubtKind]).meta({
    description: `Why the days are not believed. ${
      Object.entries(DOUBTS).map(([kind, meaning]) => `${kind}: ${meaning}`)
        .join("; ")
    }`,
    example: "otherUnit",
  }),
  value: z.number().meta({
    description: "What the source returns for the first day",
    example: 211020000,
  }),
  against: z.number().meta({
    description:
      "The stored value of that day, or the last believed one before",
    example: 0.211,
  }),
  foundAt: Instant.meta({ description: "When a read first showed it" }),
  decision: z.enum(["open", "refused"]).meta({
    description:
      "open: the operator has not decided. What the operator accepts is read again and used",
    example: "open",
  }),
}).meta({ id: "DoubtedDays" });

/** A decision of the operator about doubted days. */
const DoubtDecision = z.object({
  series: WithdrawnDays.shape.series,
  from: Day.meta({ description: "First day" }),
  to: Day.meta({ description: "Last day" }),
  reason: DoubtedDays.shape.reason,
  accepted: z.boolean().meta({
    description: "Whether the source's values are used",
    example: true,
  }),
  decidedAt: Instant.meta({ description: "When the operator decided" }),
}).meta({ id: "DoubtDecision" });

/** An entry of the chain list that is not believed, or a new name. */
const ChainDoubt = z.object({
  kind: z.enum(["claimed", "renamed"]).meta({
    description:
      "claimed: another blockchain is listed with the id of this chain, which keeps its name and token. renamed: the chain had this name before",
    example: "claimed",
  }),
  chainId: ChainId,
  chainName: ChainName,
  blockchainId: z.string().meta({
    description: "Id on the P-Chain",
    example: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
  }),
  foundAt: Instant.meta({ description: "When a list first showed it" }),
}).meta({ id: "ChainDoubt" });

/** The answer of `GET /quality`. */
export const QualityAnswer = z.object({
  sources: z.array(SourceQuality).meta({
    description: "How up to date each source is",
  }),
  checks: z.array(CheckQuality).meta({
    description: "How well the two sources of each checked series agree",
  }),
  coverage: z.array(z.object({
    chainId: ChainId,
    chainName: ChainName,
    ...Coverage.shape,
    ...ChainProof.shape,
  })).meta({
    description:
      "What the source has of each chain, since when not, and how well its transactions are backed",
  }),
  untracked: UntrackedChains,
  chainChecks: z.array(ChainCheck).meta({
    description:
      "How each metric of each chain compares with the explorer index, for all that it was asked for",
  }),
  chainCheckTotals: z.array(ChainCheckTotals).meta({
    description: "The same by metric, over all chains",
  }),
  identities: z.array(Identity).meta({
    description: "The identities that the series of every chain must satisfy",
  }),
  withdrawals: z.array(WithdrawnDays).meta({
    description:
      "Days that a source has withdrawn; they keep their last values",
  }),
  chainDoubts: z.array(ChainDoubt).meta({
    description:
      "Entries of the chain list that claim the id of another chain, and chains that were renamed within 30 days",
  }),
  setAside: z.array(SetAsideRows).meta({
    description:
      "Rows of sources that cannot be read. They are read again; a total over such rows is not served",
  }),
  doubtedDays: z.array(DoubtedDays).meta({
    description:
      "Days of sources that can't be true: the series are served without them",
  }),
  doubtDecisions: z.array(DoubtDecision).meta({
    description: "What the operator decided about such days",
  }),
  chains: z.array(ChainQuality).meta({
    description: "The result of checking the identities, per chain",
  }),
}).meta({ id: "Quality" });
/** The answer of `GET /quality`. */
export type QualityAnswer = z.infer<typeof QualityAnswer>;
