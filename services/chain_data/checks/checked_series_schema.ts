/** The four checked series on the wire. */
import { z } from "@hono/zod-openapi";
import { FORMATS, Gap } from "../metrics_schema.ts";
import { daysParameters, RANGE_NAMES, withDays } from "../day_query_schema.ts";
import { Day, Instant, query } from "../../platform/wire_schema.ts";

/** The widths of a bucket of the checked totals. */
export const CHECKED_INTERVALS = ["month", "day"] as const;

/** The days over which a mean block time is taken. */
export const BLOCK_WINDOWS = ["7", "30", "90"] as const;

const days = daysParameters("all");
const format = z.enum(FORMATS).default("json");

/** The query of the checked totals. */
export const TotalsQuery = withDays(
  query({
    interval: z.enum(CHECKED_INTERVALS).default("month"),
    ...days,
    format,
  }),
);
/** A checked query of the checked totals. */
export type TotalsQuery = z.infer<typeof TotalsQuery>;

/** The query of `GET /block-production`. */
export const BlocksQuery = withDays(
  query({
    window: z.enum(BLOCK_WINDOWS).default("30"),
    ...days,
    format,
  }),
);
/** A checked query of `GET /block-production`. */
export type BlocksQuery = z.infer<typeof BlocksQuery>;

/** The query of `GET /validators`. */
export const ValidatorsQuery = withDays(query({ ...days, format }));
/** A checked query of `GET /validators`. */
export type ValidatorsQuery = z.infer<typeof ValidatorsQuery>;

const DifferencePct = z.number().nullable().meta({
  description:
    "Second source against ours, in percent of ours; null where not compared",
});
const Agrees = z.boolean().nullable().meta({
  description: "Null where not compared",
});
const Complete = z.boolean().meta({ description: "False while still filling" });
const ChangePct = z.number().nullable().meta({
  description: "Null next to an incomplete or absent month",
});

/** A day on which the two sources differ by more than the tolerance. */
export const DisputedDay = z.object({
  day: Day,
  value: z.number(),
  crossCheckValue: z.number(),
  differencePct: DifferencePct,
}).meta({ id: "DisputedDay" });
/** A day on which the two sources differ by more than the tolerance. */
export type DisputedDay = z.infer<typeof DisputedDay>;

/** What the comparison with the second source came to. */
export const Checks = z.object({
  source: z.string(),
  tolerancePct: z.object({ day: z.number(), month: z.number() }),
  checkedThrough: Day.nullable().meta({ description: "Newest compared day" }),
  comparedDayCount: z.int(),
  notComparedDayCount: z.int().meta({
    description: "Days that one source lacks or that are incomplete",
  }),
  agreementPct: z.number().nullable(),
  disputedDays: z.array(DisputedDay),
}).meta({ id: "Checks" });
/** What the comparison with the second source came to. */
export type Checks = z.infer<typeof Checks>;

const head = {
  chainName: z.string(),
  unit: z.string(),
  token: z.string(),
  range: z.enum(RANGE_NAMES).nullable(),
};
const tail = {
  lastPeriodComplete: z.boolean(),
  gaps: z.array(Gap),
  dataThrough: Day.nullable(),
  fetchedAt: Instant,
  source: z.string(),
  checks: Checks,
  recentAgreementPct: z.number().nullable().meta({
    description: "Over the last 90 compared days, whatever days are asked for",
  }),
  disputedDayCount: z.int(),
};
/** The fields behind the series that the four answers share. */
export const CheckedTail = z.object(tail);
/** The fields behind the series that the four answers share. */
export type CheckedTail = z.infer<typeof CheckedTail>;

const totals = {
  ...head,
  interval: z.enum(CHECKED_INTERVALS),
  aggregation: z.literal("sum"),
};
const compared = {
  differencePct: DifferencePct,
  agrees: Agrees,
};
const ComparedDayCount = z.int().meta({
  description: "Days of the bucket that both sources have",
});

/** The answer of `GET /monthly-transactions`. */
export const TransactionsAnswer = z.object({
  ...totals,
  series: z.array(z.object({
    day: Day,
    txCount: z.number(),
    crossCheckTxCount: z.number().nullable(),
    ...compared,
    monthOverMonthPct: ChangePct,
    yearOverYearPct: ChangePct,
    complete: Complete,
    comparedDayCount: ComparedDayCount,
  })),
  ...tail,
}).meta({ id: "MonthlyTransactions" });
/** The answer of `GET /monthly-transactions`. */
export type TransactionsAnswer = z.infer<typeof TransactionsAnswer>;

/** The answer of `GET /transaction-fees`, in AVAX. */
export const FeesAnswer = z.object({
  ...totals,
  series: z.array(z.object({
    day: Day,
    feesPaid: z.number(),
    crossCheckFeesPaid: z.number().nullable(),
    ...compared,
    complete: Complete,
    comparedDayCount: ComparedDayCount,
  })),
  ...tail,
}).meta({ id: "TransactionFees" });
/** The answer of `GET /transaction-fees`, in AVAX. */
export type FeesAnswer = z.infer<typeof FeesAnswer>;

/** A day whose blocks were counted by the RPC: two calls reproduce it. */
export const Sample = z.object({
  day: Day,
  firstBlock: z.int(),
  firstBlockTimestamp: Instant,
  previousBlock: z.int().nullable(),
  previousBlockTimestamp: Instant.nullable(),
  nextDayFirstBlock: z.int(),
  rpcBlocks: z.int(),
  blocks: z.int().nullable(),
  agrees: Agrees,
}).meta({ id: "BlockSample" });
/** A day whose blocks were counted by the RPC. */
export type Sample = z.infer<typeof Sample>;

/** The answer of `GET /block-production`. */
export const BlocksAnswer = z.object({
  ...head,
  window: z.int().meta({ description: "Days of the mean, up to the day" }),
  series: z.array(z.object({
    day: Day,
    blocks: z.number(),
    meanBlockTimeSeconds: z.number().nullable().meta({
      description:
        "Over the trailing window; null where a day of it is missing",
    }),
    complete: Complete,
  })),
  samples: z.array(Sample),
  ...tail,
}).meta({ id: "BlockProduction" });
/** The answer of `GET /block-production`. */
export type BlocksAnswer = z.infer<typeof BlocksAnswer>;

const counts = {
  validators: z.number(),
  delegators: z.number(),
  validatorStake: z.number(),
  delegatorStake: z.number(),
  totalStake: z.number(),
};

/** A validator set that the service counted itself; stakes in AVAX. */
export const Snapshot = z.object({ ...counts, takenAt: Instant }).meta({
  id: "ValidatorSnapshot",
});
/** A validator set that the service counted itself; stakes in AVAX. */
export type Snapshot = z.infer<typeof Snapshot>;

/** The answer of `GET /validators`, stakes in AVAX. */
export const ValidatorsAnswer = z.object({
  ...head,
  series: z.array(z.object({
    day: Day,
    ...counts,
    snapshot: Snapshot.nullable(),
    ...compared,
    complete: Complete,
  })),
  latestSnapshot: Snapshot.nullable(),
  ...tail,
}).meta({ id: "Validators" });
/** The answer of `GET /validators`, stakes in AVAX. */
export type ValidatorsAnswer = z.infer<typeof ValidatorsAnswer>;
