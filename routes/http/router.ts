/** Routers whose bad input becomes a fault that names what is accepted. */
import { OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Env } from "hono";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { invalidInput } from "./validation_errors.ts";

/** Creates a router that refuses bad input. */
export function newRouter<E extends Env = Env>(): OpenAPIHono<E> {
  return new OpenAPIHono<E>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const queries = (name: string) => c.req.queries(name) ?? [];
      const { target, error } = result;
      const data = (result as { data?: unknown }).data;
      throw invalidInput({ target, data, error, queries });
    },
  });
}

/** Describes a JSON answer. */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
) {
  return { description, content: { "application/json": { schema } } };
}

/** Describes a JSON body, which has to be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } };
}

/** Describes the refusal of input that is malformed. */
export const BAD_QUERY = {
  400: json(ErrorBody, "Malformed; the message lists what is accepted"),
};

/** Describes the answers of a route of the open surface. */
export function successOf<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
) {
  return {
    200: json(schema, description),
    304: { description: "The client has this answer already" },
    ...BAD_QUERY,
  };
}

/** Describes the answer of a route that needs an upstream within its hour. */
export const UPSTREAM_DOWN = {
  503: json(ErrorBody, "An upstream is unreachable; never a partial series"),
};

/** Describes the errors of a keyed route that is free of charge. */
export const KEY_ERRORS = {
  ...BAD_QUERY,
  401: json(ErrorBody, "The API key is missing or invalid"),
};

/** Describes the errors of a keyed route that costs units. */
export const KEYED_ERRORS = {
  ...KEY_ERRORS,
  402: json(ErrorBody, "The plan does not include this; nothing is charged"),
  429: json(
    ErrorBody,
    "A limit is reached; Retry-After says when to ask again",
  ),
  500: json(ErrorBody, "Scoring failed; safe to retry, nothing is charged"),
  503: json(ErrorBody, "Too many were counted at once; nothing is charged"),
};

/** Describes the answer for a chain that is not tracked. */
export const UNKNOWN_CHAIN = {
  404: json(ErrorBody, "No tracked mainnet chain has this chainId"),
};
