/** Requests for scores: the body of a batch and the query of a history. */
import { z } from "@hono/zod-openapi";
import { Address } from "../platform/address_schema.ts";
import { jsonObject, query } from "../platform/wire_schema.ts";

/** Addresses that one batch may hold. */
export const MOST_ADDRESSES = 50;

const COUNT = `1 to ${MOST_ADDRESSES}`;

/** The body of `POST /score/batch`. */
export const BatchBody = jsonObject({
  addresses: z.array(Address, `an array of ${COUNT} addresses`)
    .min(1, COUNT).max(MOST_ADDRESSES, COUNT),
}).meta({ id: "BatchBody" });

/** Days that a history goes back where none are asked for. */
const USUAL_HISTORY_DAYS = 30;

/** The query of `GET /score/:address/history`. */
export const HistoryQuery = query({
  days: z.string().regex(
    /^([1-9]|[1-8]\d|90)$/,
    "a whole number from 1 to 90",
  ).transform(Number).default(USUAL_HISTORY_DAYS).openapi({
    type: "integer",
    minimum: 1,
    maximum: 90,
    default: USUAL_HISTORY_DAYS,
  }),
  include: z.enum(["breakdown"]).optional(),
});
