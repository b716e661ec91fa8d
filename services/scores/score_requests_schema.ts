/** The body of a batch request and the query of a history request. */
import { z } from "@hono/zod-openapi";
import { Address } from "../platform/address_schema.ts";
import { jsonObject, query } from "../platform/wire_schema.ts";

/** The query of `GET /score/:address`. */
export const ScoreQuery = query({
  allowStale: z.string().regex(/^(true|false)$/, "true or false")
    .transform((value) => value === "true").default(false).openapi({
      type: "boolean",
      default: false,
      description:
        "Whether signals of up to seven days, with the reason STALE_SIGNALS, stand in for a 429 SCORING_BUSY or CAPACITY_SPENT",
    }),
});

/** Maximum number of addresses in a batch. */
export const MAX_ADDRESSES = 50;

const COUNT = `1 to ${MAX_ADDRESSES}`;

/** The body of `POST /score/batch`. */
export const BatchBody = jsonObject({
  addresses: z.array(Address, `an array of ${COUNT} addresses`)
    .min(1, COUNT).max(MAX_ADDRESSES, COUNT).meta({
      description: "The addresses to score; repeated addresses are allowed",
      example: ["0x52908400098527886E0F7030069857D2E4169EE7"],
    }),
}).meta({ id: "BatchBody" });

/** Days of history that are kept and shown, today included. */
export const HISTORY_DAYS = 90;

/** Default of `days` in a history query. */
const USUAL_HISTORY_DAYS = 30;

const DAYS = `a whole number from 1 to ${HISTORY_DAYS}`;

/** The query of `GET /score/:address/history`. */
export const HistoryQuery = query({
  days: z.string().regex(/^[1-9]\d*$/, DAYS).transform(Number)
    .refine((days) => days <= HISTORY_DAYS, DAYS)
    .default(USUAL_HISTORY_DAYS).openapi({
      type: "integer",
      minimum: 1,
      maximum: HISTORY_DAYS,
      default: USUAL_HISTORY_DAYS,
      description: "UTC days to return, today included",
    }),
  include: z.enum(["breakdown"]).optional().meta({
    description: "Adds the points per signal to each entry",
    example: "breakdown",
  }),
});
