/** Query parameters that select days: a range, or a first and a last day. */
import { z } from "@hono/zod-openapi";
import { Day } from "../../platform/wire_schema.ts";

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
