/** Query strings of what is no API route, checked as those are. */
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { invalidInput } from "./validation_errors.ts";

/** Returns the checked query; throws a fault that says what is accepted. */
export function checkQuery<Query>(
  c: Context,
  schema: z.ZodType<Query>,
): Query {
  const given = c.req.queries();
  // A parameter that is given twice is a list, which no schema takes for one value.
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
