/** The queries and answers of the four checked series. */
import { z } from "@hono/zod-openapi";
import {
  AgreementPct,
  AnsweredDays,
  AnsweredRange,
  AsOf,
  AsOfParameter,
  ChainName,
  Complete,
  ConfirmedAt,
  DataThrough,
  daysParameters,
  EXPLORER_SOURCE,
  FetchedAt,
  Gaps,
  LastPeriodComplete,
  MissingDays,
  RecentAgreementPct,
  RevisedAt,
  SERIES,
  SeriesSource,
  withDays,
  Withdrawn,
} from "../catalogue/fields_schema.ts";
import { FormatParameter } from "../catalogue/metrics_schema.ts";
import { Day, Instant, query } from "../../platform/wire_schema.ts";

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
export const DifferencePct = z.number().nullable().meta({
  description:
    "Second source minus ours, in percent of ours; null if not compared",
  example: -0.0041,
});
/** Whether the sources agree. */
export const Agrees = z.boolean().nullable().meta({
  description:
    "Whether the difference is within the tolerance; null if not compared",
  example: true,
});

/** Present in items with a day that our source withdraws or has revised. */
export const MarkedItem = {
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
export const CheckedHead = z.object({
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
