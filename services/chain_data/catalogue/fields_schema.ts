/** Fields that several queries and answers of the chain data API share. */
import { z } from "@hono/zod-openapi";
import { NOT_COMPARED } from "./cross_checks_schema.ts";
import { Day, Instant, InstantParameter } from "../../platform/wire_schema.ts";

/** The first day of any series: the launch of the Primary Network. */
export const GENESIS_DAY = "2020-09-21";

/** The ranges in UTC days, counted back from today (included); `all` is unbounded. */
export const RANGES = { "30d": 30, "90d": 90, "1y": 365, all: Infinity };
/** One of the four ranges. */
export type Range = keyof typeof RANGES;
/** The four ranges. */
export const RANGE_NAMES = Object.keys(RANGES) as Range[];

/** The parameters that select days. `from` and `to` are inclusive and replace `range`. */
export function daysParameters(usual: Range) {
  return {
    range: z.enum(RANGE_NAMES).optional().meta({
      description:
        "Days to return, counted back from today (included). from and to replace it, and only its default value is accepted together with them",
      default: usual,
    }),
    from: Day.optional().meta({
      description: "First UTC day to return, YYYY-MM-DD; replaces range",
    }),
    to: Day.optional().meta({
      description: "Last UTC day to return, YYYY-MM-DD; replaces range",
      example: "2026-11-03",
    }),
  };
}

/** The part of a checked query that selects days, each `YYYY-MM-DD`. */
export interface DaysQuery {
  readonly range?: Range | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Adds the checks across `range`, `from` and `to` to a query schema. Generated
 * clients send the default range with every request, so it is accepted.
 */
export function withDays<Schema extends z.ZodType<DaysQuery>>(
  schema: Schema,
  usual: Range,
): Schema {
  return schema
    .refine(
      ({ range, from, to }) => !(range && range !== usual && (from || to)),
      {
        path: ["range"],
        error: `${usual} or none together with from or to, which replace it`,
      },
    )
    .refine(({ from, to }) => !(from && to && from > to), {
      path: ["from"],
      error: "a day on or before to",
    });
}

/** Name of the Metrics API as a source, for examples. */
export const METRICS_SOURCE = "Avalanche Metrics API (metrics.avax.network)";
/** Name of the explorer index as a source, for examples. */
export const EXPLORER_SOURCE = "explorer index (api.routescan.io)";

/** The description of a series. */
export const SERIES = "One item per bucket, oldest first";

/** The EVM chain id of an answer. */
export const ChainId = z.int().meta({
  description: "EVM chain id",
  example: 43114,
});

/** The name of a chain. */
export const ChainName = z.string().meta({
  description: "Name of the chain",
  example: "C-Chain",
});

/** The native token of a chain. */
export const NativeToken = z.string().nullable().meta({
  description: "Symbol of the chain's native token; null if unknown",
  example: "AVAX",
});

/** The range of an answer. */
export const AnsweredRange = z.enum(RANGE_NAMES).nullable().meta({
  description: "The requested range; null if from or to was given",
  example: "30d",
});

/** The days of an answer. */
export const AnsweredDays = {
  from: Day.meta({
    description:
      "First requested day: from, or the first day of the range; the bucket that contains it is not cut",
  }),
  to: Day.meta({
    description:
      "Last requested day: to, or today; the bucket that contains it is not cut",
  }),
};

/** Whether a bucket is complete. */
export const Complete = z.boolean().meta({
  description:
    "False while days of the bucket are still growing, or missing for less than 30 days",
  example: true,
});

/** The days that a bucket lacks for good. */
export const MissingDays = z.array(Day).optional().meta({
  description:
    "Days of the bucket that the source has had no value for since 30 days, so they are no longer waited for; absent if there are none",
  example: [],
});

/** Whether the last bucket of a series is complete. */
export const LastPeriodComplete = z.boolean().meta({
  description: "Whether the last item of the series is complete",
  example: true,
});

/** A run of days without a value, both ends included. */
export const Gap = z.object({
  from: Day.meta({ description: "First day without a value" }),
  to: Day.meta({ description: "Last day without a value" }),
  reason: z.string().optional().meta({
    description:
      "Why the service does not use what the source says of these days; absent if it says nothing",
    example: "rows of the source that can't be read",
  }),
}).meta({ id: "Gap" });
/** A run of days without a value, both ends included. */
export type Gap = z.infer<typeof Gap>;

/** The gaps of a series. */
export const Gaps = z.array(Gap).meta({
  description: "Days that the source has no value for; they are never filled",
  example: [],
});

/** The value of `disputed` for a day that the source withdraws. */
export const Withdrawn = z.literal("withdrawn").meta({
  description: "The source no longer returns the value, or returns 0",
});

/** The `asOf` parameter. */
export const AsOfParameter = InstantParameter.optional().meta({
  description:
    "Returns what the service would have answered at this instant, without the days that were incomplete then and the reasons of gaps. The earliest accepted instant is when the service first stored the series",
});

/** The instant that an answer is as of. */
export const AsOf = Instant.optional().meta({
  description:
    "The instant of asOf; absent without it. With asOf, both fetchedAt and confirmedAt are the time of the last change of the data before that instant",
});

/** When a value was last revised. */
export const RevisedAt = Instant.optional().meta({
  description:
    "When the service last saw a new value of a complete day of the bucket; absent if none was revised",
});

/** The newest complete day of a series. */
export const DataThrough = Day.nullable().meta({
  description: "Newest complete day of the whole series; null without one",
});

/** When an answer was read from its source. */
export const FetchedAt = Instant.meta({
  description: "When the data were read from the source",
});

/** When an answer was last known to be current. */
export const ConfirmedAt = Instant.meta({
  description: "When the source was last known to have published no newer day",
});

/** The source of a series. */
export const SeriesSource = z.string().meta({
  description: "Source that the values were read from",
  example: METRICS_SOURCE,
});

/** The address of a source. */
export const SourceUrl = z.string().meta({
  description: "Origin of the source",
  example: "https://metrics.avax.network",
});

/** A percentage of compared days. */
export const AgreementPct = z.number().nullable().meta({
  description:
    "Compared days on which both sources agree, in percent; null if no day was compared",
  example: 99.8219,
});

/** The same percentage over recent days. */
export const RecentAgreementPct = z.number().nullable().meta({
  description:
    "Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared",
  example: 98.8889,
});

/** The second source of a checked series. */
export const CrossCheckSource = z.string().meta({
  description: "The second source, which the values are compared with",
  example: EXPLORER_SOURCE,
});

/** How a series compares with its second source, over the days of the answer. */
export const SeriesCheck = z.object({
  compared: z.boolean().meta({
    description: "Whether the series is compared with a second source",
    example: true,
  }),
  reason: z.enum(
    Object.keys(NOT_COMPARED) as [keyof typeof NOT_COMPARED],
  ).nullable().meta({
    description: `Why it is not; null if it is compared. ${
      Object.entries(NOT_COMPARED)
        .map(([reason, meaning]) => `${reason}: ${meaning}`).join("; ")
    }`,
    example: null,
  }),
  source: z.string().nullable().meta({
    description:
      "The second source; null if there is none, or if it was not read yet",
    example: EXPLORER_SOURCE,
  }),
  checkedThrough: Day.nullable().meta({
    description: "Newest compared day; null if no day was compared",
  }),
  comparedDayCount: z.int().meta({
    description:
      "Compared days: those that are complete in both sources and covered by the second",
    example: 363,
  }),
  notCoveredDayCount: z.int().meta({
    description:
      "Days on which the second source has zero beside traffic, or before its first value: neither agreement nor dispute",
    example: 0,
  }),
  disputedDayCount: z.int().meta({
    description:
      "Compared days on which the sources disagree; /disputes has them",
    example: 1,
  }),
  agreementPct: AgreementPct,
  tolerancePct: z.number().nullable().meta({
    description:
      "Accepted difference of a day, in percent; null if not compared",
    example: 0.5,
  }),
  slack: z.number().nullable().meta({
    description:
      "Transactions or addresses by which a day may differ whatever its size; fees may differ by those of as many transactions",
    example: 100,
  }),
}).meta({ id: "SeriesCheck" });
/** How a series compares with its second source. */
export type SeriesCheck = z.infer<typeof SeriesCheck>;
