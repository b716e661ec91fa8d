/** Schemas that every surface shares: days, instants, query objects, error bodies. */
import { z } from "@hono/zod-openapi";
import { docsOfError, ERROR_CODES } from "./error_codes_schema.ts";

/** A UTC calendar day, `YYYY-MM-DD`. */
export const Day = z.iso.date("a calendar day as YYYY-MM-DD").meta({
  description: "A UTC day, YYYY-MM-DD",
  example: "2026-11-01",
});

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime().meta({
  description: "An instant, ISO 8601 in UTC",
  example: "2026-11-21T08:07:03.120Z",
});

/** An instant in a query. */
export const InstantParameter = z.iso.datetime(
  "an instant in UTC as ISO 8601, such as 2026-11-21T08:00:00Z",
).meta({
  description: "An instant in UTC, ISO 8601",
  example: "2026-11-21T08:00:00Z",
});

const TX_HASH = "a transaction hash: 0x and 64 hexadecimal digits";

/** A transaction hash in a request. The checked value is lower-case. */
export const TxHash = z.string(TX_HASH).regex(/^0x[0-9a-fA-F]{64}$/, TX_HASH)
  .transform((hash) => hash.toLowerCase()).meta({
    description: "Hash of a transaction",
    example:
      "0xbbc4e20edfbc5a1b8431412172663b69b8292373920851b291ae94c3d04709c9",
  });

/** Length of a slug in characters: of profiles, and of quotes for one. */
export const SLUG_LENGTH = { least: 3, most: 32 } as const;

/** Builds the schema of a query string. It rejects unknown parameters. */
export function query<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? expectedNames(shape, "parameters")
        : undefined,
  });
}

/** The query of an endpoint without parameters. */
export const NoQuery = query({});

/** Builds the schema of a JSON object. It rejects unknown fields. */
export function jsonObject<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? expectedNames(shape, "fields")
        : `a JSON object with ${Object.keys(shape).join(", ")}`,
  });
}

/** Returns the names that an object may have, worded for an error message. */
function expectedNames(shape: z.ZodRawShape, kind: string): string {
  const names = Object.keys(shape);
  if (names.length === 0) return `expected no ${kind}`;
  return `expected ${names.length > 1 ? "one of " : ""}${names.join(", ")}`;
}

/** The body of every error. Some codes add fields of their own. */
export const ErrorBody = z.looseObject({
  error: z.string().meta({
    description: "What went wrong, the value given, and what is accepted",
    example: 'Invalid range "2y": expected one of 30d, 90d, 1y, all',
  }),
  message: z.string().meta({
    description: "The same text as error",
    example: 'Invalid range "2y": expected one of 30d, 90d, 1y, all',
  }),
  code: z.enum(ERROR_CODES).meta({
    description: "Machine-readable code; branch on this, not on the text",
    example: "BAD_REQUEST",
  }),
  docs: z.string().meta({
    description: "Path of the documentation of the code",
    example: docsOfError("BAD_REQUEST"),
  }),
}).meta({ id: "Error" });
/** The body of every error. */
export type ErrorBody = z.infer<typeof ErrorBody>;
