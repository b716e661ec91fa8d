/** Query validation of routes outside the API. */
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { invalidInput } from "./validation_errors.ts";

/** Returns the validated query. Throws a fault that says what is accepted. */
export function checkQuery<Query>(
  c: Context,
  schema: z.ZodType<Query>,
): Query {
  const given = c.req.queries();
  // A repeated parameter becomes a list, which no schema accepts.
  const data = Object.fromEntries(
    Object.entries(given).map(([name, values]) =>
      [name, values.length === 1 ? values[0] : values] as const
    ),
  );
  const checked = schema.safeParse(data);
  if (checked.success) return checked.data;
  const queries = (name: string) => given[name] ?? [];
  throw invalidInput({ target: "query", data, error: checked.error, queries });
}
