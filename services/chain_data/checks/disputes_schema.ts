/** The query and answer of `GET /disputes`. */
import { z } from "@hono/zod-openapi";
import {
  CHECK_NAMES,
  INDEX_METRICS,
} from "../catalogue/cross_checks_schema.ts";
import {
  ChainId,
  ChainName,
  CrossCheckSource,
  NativeToken,
  SeriesSource,
} from "../catalogue/fields_schema.ts";
import { DisputedDay } from "./checked_series_schema.ts";
import { Instant, query } from "../../platform/wire_schema.ts";

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
