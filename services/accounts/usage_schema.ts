/** The answer of `GET /usage`: the units that a wallet has spent. */
import { z } from "@hono/zod-openapi";
import { PaidUntil, Plan, PlanLabel } from "../payments/payments_schema.ts";
import { type Metered, PLANS } from "../payments/plans_schema.ts";
import { Day, Instant } from "../platform/wire_schema.ts";

const units = z.object(
  {
    score: z.int().meta({
      description: "Units spent on single scores: 1 per request",
      example: 812,
    }),
    batch: z.int().meta({
      description: "Units spent on batches: 1 per address",
      example: 150,
    }),
    history: z.int().meta({
      description: "Units spent on histories: 1 per request",
      example: 12,
    }),
    signed: z.int().meta({
      description: "Units spent on signed scores: 1 per request",
      example: 0,
    }),
  } satisfies Record<Metered, z.ZodType>,
);

const UsageDay = z.object({
  date: Day.meta({ description: "UTC day, YYYY-MM-DD" }),
  units: units.meta({ description: "Units spent that day, by endpoint" }),
}).meta({ id: "UsageDay" });

/** What an owner should know now. */
const NOTICES = [
  "QUOTA_USED_UP",
  "QUOTA_80_PERCENT",
  "PLAN_ENDS_SOON",
] as const;

const Notice = z.object({
  code: z.enum(NOTICES).meta({
    description: "Code of the notice; branch on this",
    example: "PLAN_ENDS_SOON",
  }),
  message: z.string().meta({
    description: "The notice in words, for display",
    example:
      "The Builder plan ends on 2026-12-21 (UTC). It does not renew automatically; after that, the Free plan applies.",
  }),
}).meta({ id: "UsageNotice" });
/** What an owner should know now. */
export type Notice = z.infer<typeof Notice>;

/** The answer of `GET /usage`. */
export const UsageAnswer = z.object({
  plan: Plan,
  planLabel: PlanLabel,
  paidUntil: PaidUntil,
  limit: z.int().meta({
    description: "Quota: units in any 30 days",
    example: PLANS.builder.requests,
  }),
  used: z.int().meta({
    description: "Units spent in the last 30 days",
    example: 974,
  }),
  remaining: z.int().meta({
    description: "Units that can be spent now",
    example: PLANS.builder.requests - 974,
  }),
  resetAt: Instant.meta({
    description: "When the oldest counted unit leaves the 30-day window",
  }),
  cap: z.object({
    limit: z.int().meta({
      description: "Maximum number of units of the key in any 30 days",
      example: 1_000,
    }),
    remaining: z.int().meta({
      description: "Units of the cap that can be spent now",
      example: 880,
    }),
    resetAt: Instant.meta({
      description: "When the oldest unit of the key leaves the 30-day window",
    }),
  }).nullable().meta({ description: "The cap of the key; null without one" }),
  notices: z.array(Notice).meta({
    description:
      "What the owner should know: 80 or 100 % of the quota is used, or the paid plan ends within seven days and no other follows. The most urgent comes first",
  }),
  days: z.array(UsageDay).meta({
    description:
      "The last 30 UTC days, today last. used may be more than their sum: its 30 days end now, so they begin during the day before the first listed one",
  }),
}).meta({ id: "Usage" });
/** The answer of `GET /usage`. */
export type UsageAnswer = z.infer<typeof UsageAnswer>;
