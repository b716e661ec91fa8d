/** Which days a query asks for: a range, or a first and a last day. */
import { z } from "@hono/zod-openapi";
import { Day } from "../platform/wire_schema.ts";

/** The first day of any series: the launch of the Primary Network. */
export const GENESIS_DAY = "2020-09-21";

/** The ranges, in UTC days back from today, today included; `all` is unbounded. */
export const RANGES = { "30d": 30, "90d": 90, "1y": 365, all: Infinity };
/** One of the four ranges. */
export type Range = keyof typeof RANGES;
/** The four ranges. */
export const RANGE_NAMES = Object.keys(RANGES) as Range[];

/** The parameters that say which days; `from` and `to` are inclusive and replace `range`. */
export function daysParameters(usual: Range) {
  return {
    range: z.enum(RANGE_NAMES).optional().meta({ default: usual }),
    from: Day.optional(),
    to: Day.optional(),
  };
}

/** The part of a query that says which days are wanted; days as `YYYY-MM-DD`. */
export interface DaysQuery {
  readonly range?: Range | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Refuses days that contradict each other. */
export function withDays<Schema extends z.ZodType<DaysQuery>>(
  schema: Schema,
): Schema {
  return schema
    .refine(({ range, from, to }) => !(range && (from || to)), {
      path: ["range"],
      error: "none beside from or to, which replace it",
    })
    .refine(({ from, to }) => !(from && to && from > to), {
      path: ["from"],
      error: "a day that is not after to",
    });
}
