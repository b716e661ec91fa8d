/** What every surface has on its wire: days, query objects, error bodies. */
import { z } from "@hono/zod-openapi";

/** A UTC day, `YYYY-MM-DD`, that exists in the calendar. */
export const Day = z.iso.date("a calendar day as YYYY-MM-DD").meta({
  description: "A UTC day, YYYY-MM-DD",
  example: "2026-11-01",
});

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime().meta({
  description: "ISO 8601, UTC",
  example: "2026-11-21T08:07:03.120Z",
});

/** Builds the schema of a query string in which an unknown name is refused. */
export function query<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const accepted = Object.keys(shape).join(", ") || "none";
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `accepted parameters are ${accepted}`
        : undefined,
  });
}

/** Builds the schema of a JSON object in which an unknown name is refused. */
export function jsonObject<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const accepted = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? `accepted fields are ${accepted}`
        : `a JSON object with ${accepted}`,
  });
}

/** The codes an error body may carry; clients branch on them. */
export const ERROR_CODES = [
  "BAD_REQUEST",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "PAYLOAD_TOO_LARGE",
  "UNAUTHORIZED",
  "SIGNED_OUT",
  "SIGNATURE_REFUSED",
  "CROSS_SITE",
  "TOO_MANY_KEYS",
  "PLAN_REQUIRED",
  "RATE_LIMITED",
  "QUOTA_EXCEEDED",
  "QUOTE_NOT_FOUND",
  "QUOTE_USED",
  "ALREADY_OWNED",
  "TX_USED",
  "TX_NOT_FOUND",
  "TX_FAILED",
  "NO_TRANSFER",
  "WRONG_TOKEN",
  "WRONG_RECIPIENT",
  "WRONG_SENDER",
  "PROFILE_REQUIRED",
  "SLUG_TAKEN",
  "SOCIAL_TAKEN",
  "SOCIAL_LINKED",
  "RECORD_NOT_FOUND",
  "LINK_REFUSED",
  "CONTENDED",
  "STORE_FULL",
  "NOT_ENABLED",
  "UPSTREAM_UNAVAILABLE",
  "INTERNAL",
] as const;

/** One of the closed set of error codes. */
export type ErrorCode = typeof ERROR_CODES[number];

/** The body of every error; facts of its own kind stand beside these fields. */
export const ErrorBody = z.looseObject({
  error: z.string().meta({
    description: "What happened, and what is accepted",
  }),
  message: z.string().meta({ description: "The same as error" }),
  code: z.enum(ERROR_CODES),
}).meta({ id: "Error" });
/** The body of every error. */
export type ErrorBody = z.infer<typeof ErrorBody>;
