/** The queries and answers of the four checked series, and of their disputes. */
import { z } from "@hono/zod-openapi";
import {
  AgreementPct,
  AnsweredDays,
  AnsweredRange,
  AsOf,
  AsOfParameter,
  ChainId,
  ChainName,
  Complete,
  ConfirmedAt,
  CrossCheckSource,
  DataThrough,
  daysParameters,
  EXPLORER_SOURCE,
  FetchedAt,
  Gaps,
  LastPeriodComplete,
  MissingDays,
  NativeToken,
  RecentAgreementPct,
  RevisedAt,
  SERIES,
  SeriesSource,
  withDays,
  Withdrawn,
} from "../catalogue/fields_schema.ts";
import { FormatParameter } from "../catalogue/metrics_schema.ts";
import { Day, Instant, query } from "../../platform/wire_schema.ts";
import {
  CHECK_NAMES,
  INDEX_METRICS,
} from "../catalogue/cross_checks_schema.ts";

/** The widths of a bucket of transactions and fees. */
export const CHECKED_INTERVALS = ["month", "day"] as const;

const days = daysParameters("all");
const format = FormatParameter;

/** The query of `GET /monthly-transactions` and `GET /transaction-fees`. */
export const TotalsQuery = withDays(
  query({
    interval: z.enum(CHECKED_INTERVALS).default("month").meta({
      description: "Width of a bucket",
    }),
    ...days,
    asOf: AsOfParameter,
    format,
  }),
  "all",
);
/** A checked query of `GET /monthly-transactions` and `GET /transaction-fees`. */
export type TotalsQuery = z.infer<typeof TotalsQuery>;

/** The difference between the sources. */
const DifferencePct = z.number().nullable().meta({
  description:
    "Second source minus ours, in percent of ours; null if not compared",
  example: -0.0041,
});
/** Whether the sources agree. */
const Agrees = z.boolean().nullable().meta({
  description:
    "Whether the difference is within the tolerance; null if not compared",
  example: true,
});

/** Present in items with a day that our source withdraws or has revised. */
const MarkedItem = {
  missingDays: MissingDays,
  disputed: Withdrawn.optional().meta({
    description:
      "Present if our source has withdrawn a day of the bucket; the day keeps its last value until three reads agree",
  }),
  revisedAt: RevisedAt,
};

/** The disputed days of a bucket. */
const BucketDisputes = z.array(Day).meta({
  description: "Days of the bucket on which the sources disagree",
  example: [],
});

/** A day on which the two sources differ by more than the tolerance. */
export const DisputedDay = z.object({
  day: Day.meta({ example: "2026-11-11" }),
  value: z.number().meta({
    description: "Value of our source",
    example: 1308297,
  }),
  crossCheckValue: z.number().meta({
    description: "Value of the second source",
    example: 1328841,
  }),
  differencePct: DifferencePct.meta({ example: 1.5703 }),
}).meta({ id: "DisputedDay" });
/** A day on which the two sources differ by more than the tolerance. */
export type DisputedDay = z.infer<typeof DisputedDay>;

/** The result of comparing a series with the second source. */
export const Checks = z.object({
  source: z.string().meta({
    description: "The second source",
    example: EXPLORER_SOURCE,
  }),
  fetchedAt: Instant.nullable().meta({
    description: "When the second source was last read; null if never",
  }),
  tolerancePct: z.object({
    day: z.number().meta({
      description: "Accepted difference of a day",
      example: 0.5,
    }),
    month: z.number().meta({
      description: "Accepted difference of a month",
      example: 0.05,
    }),
  }).meta({
    description: "Accepted difference between the sources, in percent",
  }),
  checkedThrough: Day.nullable().meta({
    description: "Newest compared day; null if no day was compared",
  }),
  comparedDayCount: z.int().meta({
    description: "Compared days: those that are complete in both sources",
    example: 61,
  }),
  notComparedDayCount: z.int().meta({
    description: "Days that are incomplete or absent in one of the sources",
    example: 0,
  }),
  agreementPct: AgreementPct.meta({ example: 98.3607 }),
  disputedDays: z.array(DisputedDay).meta({
    description: "Days on which the sources disagree, with both values",
  }),
  withdrawnDays: Gaps.meta({
    description:
      "Days that the second source dropped; their last values are compared until three reads agree that they are gone",
    example: [],
  }),
}).meta({ id: "Checks" });
/** The result of comparing a series with the second source. */
export type Checks = z.infer<typeof Checks>;

const unit = z.string().meta({
  description: "Unit of the values",
  example: "count",
});
/** The fields before the series, which the four answers share. */
const CheckedHead = z.object({
  chainName: ChainName,
  unit,
  token: z.string().meta({
    description: "Symbol of the chain's native token",
    example: "AVAX",
  }),
  range: AnsweredRange,
  ...AnsweredDays,
});

/** The fields after the series, which the four answers share. */
export const CheckedTail = z.object({
  lastPeriodComplete: LastPeriodComplete,
  gaps: Gaps,
  dataThrough: DataThrough,
  fetchedAt: FetchedAt,
  confirmedAt: ConfirmedAt,
  source: SeriesSource,
  checks: Checks,
  recentAgreementPct: RecentAgreementPct,
  disputedDayCount: z.int().meta({
    description: "Returned days on which the sources disagree",
    example: 1,
  }),
  asOf: AsOf,
});
/** The fields after the series, which the four answers share. */
export type CheckedTail = z.infer<typeof CheckedTail>;

const totals = {
  ...CheckedHead.shape,
  interval: z.enum(CHECKED_INTERVALS).meta({
    description: "Width of a bucket",
    example: "month",
  }),
  aggregation: z.literal("sum").meta({
    description: "A month is the sum of its days",
  }),
};
const bucketDay = Day.meta({ description: "First day of the bucket" });
const compared = {
  differencePct: DifferencePct.meta({
    description:
      "Second source minus ours, in percent of ours, over the compared days; null if no day was compared",
  }),
  agrees: Agrees.meta({
    description:
      "Whether the difference is within the tolerance; null unless the bucket is complete and all of its days are compared",
  }),
};
const counted = {
  comparedDayCount: z.int().meta({
    description: "Compared days of the bucket",
    example: 30,
  }),
  disputedDays: BucketDisputes,
};

/** The answer of `GET /monthly-transactions`. */
export const TransactionsAnswer = z.object({
  ...totals,
  series: z.array(z.object({
    day: bucketDay,
    txCount: z.number().meta({
      description: "Transactions, by our source",
      example: 39977959,
    }),
    crossCheckTxCount: z.number().nullable().meta({
      description:
        "Transactions of the compared days, by the second source; null if not compared",
      example: 39976306,
    }),
    ...compared,
    monthOverMonthPct: z.number().nullable().meta({
      description:
        "Change from the month before in percent; null if either month is incomplete, absent or the one in which the series began",
      example: -9.179,
    }),
    yearOverYearPct: z.number().nullable().meta({
      description:
        "Change from the same month a year before in percent; null if either month is incomplete, absent or the one in which the series began",
      example: -16.2724,
    }),
    complete: Complete,
    ...counted,
    ...MarkedItem,
  })).meta({ description: SERIES }),
  ...CheckedTail.shape,
}).meta({ id: "MonthlyTransactions" });
/** The answer of `GET /monthly-transactions`. */
export type TransactionsAnswer = z.infer<typeof TransactionsAnswer>;

/** The answer of `GET /transaction-fees`, in AVAX. */
export const FeesAnswer = z.object({
  ...totals,
  unit: CheckedHead.shape.unit.meta({ example: "avax" }),
  series: z.array(z.object({
    day: bucketDay,
    feesPaid: z.number().meta({
      description: "Fees in AVAX, by our source",
      example: 1936.4618484508076,
    }),
    crossCheckFeesPaid: z.number().nullable().meta({
      description:
        "Fees of the compared days in AVAX, by the second source; null if not compared",
      example: 1936.389980549214,
    }),
    ...compared,
    complete: Complete,
    ...counted,
    ...MarkedItem,
  })).meta({ description: SERIES }),
  ...CheckedTail.shape,
}).meta({ id: "TransactionFees" });
/** The answer of `GET /transaction-fees`, in AVAX. */
export type FeesAnswer = z.infer<typeof FeesAnswer>;

/** The query of `GET /validators`. */
export const ValidatorsQuery = withDays(
  query({
    ...days,
    asOf: AsOfParameter,
    format,
  }),
  "all",
);
/** A checked query of `GET /validators`. */
export type ValidatorsQuery = z.infer<typeof ValidatorsQuery>;

const counts = {
  validators: z.number().meta({
    description: "Validators of the Primary Network",
    example: 1107,
  }),
  delegators: z.number().meta({
    description: "Delegators of the Primary Network",
    example: 51232,
  }),
  validatorStake: z.number().meta({
    description: "Stake of validators, in AVAX",
    example: 160961843.5,
  }),
  delegatorStake: z.number().meta({
    description: "Stake of delegators, in AVAX",
    example: 47508210.25,
  }),
  totalStake: z.number().meta({
    description: "Stake of validators and delegators, in AVAX",
    example: 208470053.75,
  }),
};

/**
 * A validator set that the service counted itself; stakes in AVAX. A total is null if
 * the node answered a validator without it; a whole read of the day replaces it.
 */
export const Snapshot = z.object({
  validators: counts.validators.nullable(),
  delegators: counts.delegators.nullable(),
  validatorStake: counts.validatorStake.nullable(),
  delegatorStake: counts.delegatorStake.nullable(),
  totalStake: counts.totalStake.nullable(),
  takenAt: Instant.meta({ description: "When the validator set was read" }),
}).meta({
  id: "ValidatorSnapshot",
});
/** A validator set that the service counted itself; stakes in AVAX. */
export type Snapshot = z.infer<typeof Snapshot>;

/** The answer of `GET /validators`, stakes in AVAX. */
export const ValidatorsAnswer = z.object({
  ...CheckedHead.shape,
  chainName: ChainName.meta({ example: "Primary Network" }),
  unit: CheckedHead.shape.unit.meta({ example: "avax" }),
  series: z.array(z.object({
    day: Day,
    ...counts,
    snapshot: z.union([Snapshot, z.null()]).meta({
      description: "The service's own count of that day; null without one",
    }),
    differencePct: DifferencePct,
    agrees: Agrees,
    complete: Complete,
    ...MarkedItem,
  })).meta({ description: SERIES }),
  latestSnapshot: z.union([Snapshot, z.null()]).meta({
    description: "The service's newest count; null before the first",
  }),
  ...CheckedTail.shape,
}).meta({ id: "Validators" });
/** The answer of `GET /validators`, stakes in AVAX. */
export type ValidatorsAnswer = z.infer<typeof ValidatorsAnswer>;

/** The numbers of days that a mean block time can cover. */
export const BLOCK_WINDOWS = ["7", "30", "90"] as const;

/** The query of `GET /block-production`. */
export const BlocksQuery = withDays(
  query({
    window: z.enum(BLOCK_WINDOWS).default("30").meta({
      description: "Days that the mean block time covers",
    }),
    ...days,
    asOf: AsOfParameter,
    format,
  }),
  "all",
);
/** A checked query of `GET /block-production`. */
export type BlocksQuery = z.infer<typeof BlocksQuery>;

/** A call that verifies a sample. */
const BlockCall = z.object({
  method: z.literal("eth_getBlockByNumber").meta({
    description: "JSON-RPC method",
  }),
  params: z.tuple([z.string(), z.literal(false)]).meta({
    description: "Its parameters",
    example: ["0x5fdcb8e", false],
    // Some tools require it beside `prefixItems`.
    items: {},
    minItems: 2,
    maxItems: 2,
  }),
  expected: z.string().meta({
    description: "What the timestamp of the block proves",
    example: "timestamp before 2026-11-01T00:00:00.000Z",
  }),
}).meta({ id: "BlockCall" });

/** A day whose blocks were counted by the RPC. Four calls verify the count. */
export const Sample = z.object({
  day: Day,
  firstBlock: z.int().meta({
    description: "Number of the day's first block",
    example: 100518255,
  }),
  firstBlockTimestamp: Instant.meta({
    description: "When the day's first block was produced",
    example: "2026-11-01T00:00:00.000Z",
  }),
  previousBlock: z.int().nullable().meta({
    description:
      "Number of the block before it; null if the day has the chain's first block",
    example: 100518254,
  }),
  previousBlockTimestamp: Instant.nullable().meta({
    description: "When that block was produced",
    example: "2026-10-31T23:59:59.000Z",
  }),
  nextDayFirstBlock: z.int().meta({
    description: "Number of the next day's first block",
    example: 100597569,
  }),
  rpcBlocks: z.int().meta({
    description: "Blocks of the day, counted by the C-Chain RPC",
    example: 79314,
  }),
  blocks: z.int().nullable().meta({
    description:
      "Blocks of the day by the explorer index; null if it has no value",
    example: 79314,
  }),
  agrees: Agrees,
  calls: z.array(BlockCall).meta({
    description:
      "Calls to any node that verify the sample: the last block before the day, its first and last block, and the first block after it",
  }),
}).meta({ id: "BlockSample" });
/** A day whose blocks were counted by the RPC. */
export type Sample = z.infer<typeof Sample>;

/** The answer of `GET /block-production`. */
export const BlocksAnswer = z.object({
  ...CheckedHead.shape,
  window: z.int().meta({
    description: "Days that the mean block time covers, ending with the day",
    example: 30,
  }),
  series: z.array(z.object({
    day: Day,
    blocks: z.number().meta({
      description: "Blocks of the day, by the explorer index",
      example: 79314,
    }),
    meanBlockTimeSeconds: z.number().nullable().meta({
      description:
        "Mean block time over the window; null if a day of the window is missing",
      example: 1.0919,
    }),
    complete: Complete,
    ...MarkedItem,
  })).meta({ description: SERIES }),
  samples: z.array(Sample).meta({
    description: "Days whose blocks were also counted by the C-Chain RPC",
  }),
  ...CheckedTail.shape,
  lagHours: z.number().meta({
    description:
      "Hours since the blocks were read from the explorer index, which a job does once a day",
    example: 5.3,
  }),
  source: SeriesSource.meta({ example: EXPLORER_SOURCE }),
}).meta({ id: "BlockProduction" });
/** The answer of `GET /block-production`. */
export type BlocksAnswer = z.infer<typeof BlocksAnswer>;

/** The query of `GET /disputes`. */
export const DisputesQuery = query({
  format: z.enum(["json", "csv", "atom"]).default("json").meta({
    description: "Format of the response",
  }),
});

/** A day on which the two sources of a checked series disagree. */
export const Dispute = z.object({
  series: z.enum([...CHECK_NAMES, ...INDEX_METRICS]).meta({
    description:
      "Name of the checked series of the C-Chain, or the metric of the chain",
    example: "transactions",
  }),
  chainId: ChainId,
  chainName: ChainName,
  token: NativeToken,
  ...DisputedDay.shape,
  foundAt: Instant.meta({
    description: "When the service first found that the sources disagree",
  }),
  unit: z.string().meta({
    description:
      "Unit of both values; avax stands for the chain's native token, which token names",
    example: "count",
  }),
  tolerancePct: z.number().meta({
    description: "Accepted difference of a day, in percent",
    example: 0.5,
  }),
  source: SeriesSource,
  crossCheckSource: CrossCheckSource,
}).meta({ id: "Dispute" });
/** A day on which the two sources of a checked series disagree. */
export type Dispute = z.infer<typeof Dispute>;

/** The fields of a dispute that every table shows after its day. */
export const DISPUTE_FIELDS = [
  "series",
  "value",
  "crossCheckValue",
  "differencePct",
  "tolerancePct",
  "unit",
  "chainId",
] as const satisfies readonly (keyof Dispute)[];

/** The answer of `GET /disputes`. */
export const DisputesAnswer = z.object({
  count: z.int().meta({ description: "Number of disputes", example: 6 }),
  disputes: z.array(Dispute).meta({
    description: "Open disputes, newest day first",
  }),
  checkedAt: Instant.nullable().meta({
    description: "When a source was last read; null before the first read",
  }),
}).meta({ id: "Disputes" });
/** The answer of `GET /disputes`. */
export type DisputesAnswer = z.infer<typeof DisputesAnswer>;
