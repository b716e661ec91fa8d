/** The usage of a key's wallet, as `GET /usage` answers it. */
import { z } from "@hono/zod-openapi";
import { METERED_NAMES, PLAN_NAMES } from "../payments/plans_schema.ts";
import { Day, Instant } from "../platform/wire_schema.ts";

/** The answer of `GET /usage`. */
export const UsageAnswer = z.object({
  plan: z.enum(PLAN_NAMES),
  planLabel: z.string(),
  paidUntil: Instant.nullable().meta({ description: "Null on the free plan" }),
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resetAt: Instant.meta({ description: "When a counted unit next leaves" }),
  days: z.array(z.object({
    date: Day,
    units: z.record(z.enum(METERED_NAMES), z.int()).meta({
      description: "What was spent that day, by endpoint",
    }),
  })).meta({ description: "The last 30 UTC days, today the last" }),
}).meta({ id: "Usage" });
/** The answer of `GET /usage`. */
export type UsageAnswer = z.infer<typeof UsageAnswer>;
