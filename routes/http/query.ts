/** Query validation of routes outside the API. */
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { invalidInput } from "./validation_errors.ts";

/** Parameters that sites, mail programs and scripts add to links. Pages and pictures ignore them. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|ref|_)$/;

/** Lists the parameters of a request without those that only track readers. */
export function givenQuery(c: Context): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).filter(([name]) => !TRACKING.test(name)),
  );
}

/** Returns the validated query. Throws a fault that says what is accepted. */
export function checkQuery<Query>(
  c: Context,
  schema: z.ZodType<Query>,
): Query {
  return checkGiven(givenQuery(c), schema);
}

/**
 * Returns the validated query of a picture, embed or file, and the parameters that
 * nobody knows: the figure is shown with a note. A frozen link, which has `asOf`, is
 * refused instead: what it was meant to freeze may be what is unknown.
 */
export function checkFigureQuery<Query>(
  c: Context,
  schema: z.ZodType<Query>,
): { readonly query: Query; readonly unknown: readonly string[] } {
  const given = givenQuery(c);
  const issues = schema.safeParse(dataOf(given)).error?.issues ?? [];
  const unknown = "asOf" in given
    ? []
    : issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys : []
    );
  for (const name of unknown) delete given[name];
  return { query: checkGiven(given, schema), unknown };
}

function checkGiven<Query>(
  given: Record<string, string[]>,
  schema: z.ZodType<Query>,
): Query {
  const data = dataOf(given);
  const checked = schema.safeParse(data);
  if (checked.success) return checked.data;
  const queries = (name: string) => given[name] ?? [];
  throw invalidInput({ target: "query", data, error: checked.error, queries });
}

/** A repeated parameter becomes a list, which few schemas accept. */
function dataOf(given: Record<string, string[]>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) =>
      [name, values.length === 1 ? values[0] : values] as const
    ),
  );
}
