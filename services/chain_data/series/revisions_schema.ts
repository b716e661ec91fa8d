/** The query and answer of `GET /revisions`. */
import { z } from "@hono/zod-openapi";
import { ChainId, ChainName } from "../catalogue/fields_schema.ts";
import {
  C_CHAIN,
  METRIC_NAMES,
  MetricName,
  MetricsQuery,
} from "../catalogue/metrics_schema.ts";
import {
  Day,
  Instant,
  InstantParameter,
  query,
} from "../../platform/wire_schema.ts";

/** Maximum number of revisions in an answer. */
export const MAX_REVISIONS = 1_000;

/**
 * Maximum number of chains of an answer, with one metric and with all metrics:
 * about fifty series are read.
 */
const MAX_CHAINS = { ofMetric: 50, ofAll: 4 };

/** The query of `GET /revisions`. */
export const RevisionsQuery = query({
  chainId: MetricsQuery.shape.chainId.unwrap().optional()
    .openapi({ default: C_CHAIN }),
  chainIds: z.string().regex(
    /^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/,
    "EVM chain ids separated by commas, such as 43114,4337",
  ).transform((list) => [...new Set(list.split(",").map(Number))])
    .optional().openapi({
      type: "string",
      description:
        `EVM chain ids separated by commas, in place of chainId: at most ${MAX_CHAINS.ofMetric} with metric, and ${MAX_CHAINS.ofAll} without`,
      example: "43114,4337",
    }),
  metric: z.enum(METRIC_NAMES).optional().meta({
    description:
      "Name of the metric; all metrics without it. A derived metric has the revisions of its running total",
  }),
  from: Day.optional().meta({
    description: "First revised UTC day to return, YYYY-MM-DD",
  }),
  to: Day.optional().meta({
    description: "Last revised UTC day to return, YYYY-MM-DD",
    example: "2026-11-20",
  }),
  since: InstantParameter.optional().meta({
    description: "Returns only revisions that were seen after this instant",
  }),
  limit: z.string().regex(
    /^[1-9]\d{0,3}$/,
    `a whole number from 1 to ${MAX_REVISIONS}`,
  ).transform(Number)
    .refine((limit) => limit <= MAX_REVISIONS, {
      error: `a whole number from 1 to ${MAX_REVISIONS}`,
    })
    .default(100).openapi({
      type: "integer",
      minimum: 1,
      maximum: MAX_REVISIONS,
      default: 100,
      description: "Maximum number of revisions",
    }),
  cursor: z.string().regex(
    /^\d{1,15}\.\d{1,6}\.\d{1,2}\.\d{1,15}$/,
    "the nextCursor of an answer",
  ).optional().meta({
    description: "The nextCursor of an answer; returns the revisions after it",
    example: "1795248423120.20769.3.43114",
  }),
  format: z.enum(["json", "csv", "atom"]).default("json").meta({
    description: "Format of the response",
  }),
}).refine(({ from, to }) => !(from && to && from > to), {
  path: ["from"],
  error: "a day on or before to",
}).refine(({ chainId, chainIds }) => !chainId || !chainIds, {
  path: ["chainId"],
  error: "chainId or chainIds, not both",
}).refine(
  // An invalid list is reported by its own check, and is still text here.
  ({ chainIds, metric }) =>
    !Array.isArray(chainIds) ||
    chainIds.length <= (metric ? MAX_CHAINS.ofMetric : MAX_CHAINS.ofAll),
  {
    path: ["chainIds"],
    error:
      `at most ${MAX_CHAINS.ofMetric} chain ids with metric, and ${MAX_CHAINS.ofAll} without`,
  },
);
/** A checked query of `GET /revisions`. */
export type RevisionsQuery = z.infer<typeof RevisionsQuery>;

/** A value of a complete day that changed. */
const Revision = z.object({
  day: Day.meta({ description: "The revised day" }),
  metric: MetricName,
  oldValue: z.number().nullable().meta({
    description: "Value until then; null if there was none",
    example: 1160895,
  }),
  newValue: z.number().nullable().meta({
    description: "Value from then on; null if there is none",
    example: 1160902,
  }),
  unit: z.string().meta({
    description: "Unit of both values",
    example: "count",
  }),
  cause: z.enum(["restated", "withdrawn", "returned", "published"]).meta({
    description:
      "restated: the source returns another value. withdrawn: it returns no value, or 0, in three reads. returned: it returns a day again that it had withdrawn. published: it returns a day that had been inferred",
    example: "restated",
  }),
  seenAt: Instant.meta({
    description: "When the service read the new value",
  }),
  chainId: ChainId,
  chainName: ChainName,
}).meta({ id: "Revision" });

/** The fields of a revision, in the order of the columns of tables. */
export const REVISION_FIELDS = Revision.keyof().options;

/** The answer of `GET /revisions`. */
export const RevisionsAnswer = z.object({
  chainId: ChainId.nullable().meta({
    description: "EVM chain id; null with chainIds",
    example: 43114,
  }),
  chainName: ChainName.nullable().meta({
    description: "Name of the chain; null with chainIds",
    example: "C-Chain",
  }),
  count: z.int().meta({
    description: "Number of returned revisions",
    example: 6,
  }),
  revisions: z.array(Revision).meta({
    description: "Revisions, the last seen first",
  }),
  nextCursor: z.string().nullable().meta({
    description: "Cursor of the revisions after these; null if none are left",
    example: null,
  }),
}).meta({ id: "Revisions" });
/** The answer of `GET /revisions`. */
export type RevisionsAnswer = z.infer<typeof RevisionsAnswer>;
