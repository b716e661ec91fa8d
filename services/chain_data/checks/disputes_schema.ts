/** Open disagreements between two sources on the wire. */
import { z } from "@hono/zod-openapi";
import { CHECK_NAMES } from "./check_rules_schema.ts";
import { DisputedDay } from "./checked_series_schema.ts";
import { Instant, query } from "../../platform/wire_schema.ts";

/** The query of `GET /disputes`. */
export const DisputesQuery = query({
  format: z.enum(["json", "csv", "atom"]).default("json"),
});

/** A day on which the two sources of a checked series disagree. */
export const Dispute = z.object({
  series: z.enum(CHECK_NAMES),
  ...DisputedDay.shape,
  unit: z.string(),
  tolerancePct: z.number(),
  source: z.string(),
  crossCheckSource: z.string(),
}).meta({ id: "Dispute" });
/** A day on which the two sources of a checked series disagree. */
export type Dispute = z.infer<typeof Dispute>;

/** The answer of `GET /disputes`. */
export const DisputesAnswer = z.object({
  count: z.int(),
  disputes: z.array(Dispute).meta({ description: "Newest day first" }),
  checkedAt: Instant.nullable().meta({
    description: "When a source was last read; null before the first read",
  }),
}).meta({ id: "Disputes" });
/** The answer of `GET /disputes`. */
export type DisputesAnswer = z.infer<typeof DisputesAnswer>;
