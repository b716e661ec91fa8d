/** Routers whose bad input becomes a fault that names what is accepted. */
import { OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { ErrorBody } from "../services/contract/wire.ts";
import { Fault } from "../services/domain/fault.ts";

/** Creates a router that refuses bad input. */
export function newRouter(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result, c) => {
      if (!result.success) throw refusal(result.error, c);
    },
  });
}

function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** Describes the answers of a route of the open surface. */
export function answersOf<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
) {
  return {
    200: json(schema, description),
    304: { description: "The client has this answer already" },
    400: json(ErrorBody, "Malformed; the message lists what is accepted"),
    503: json(ErrorBody, "An upstream is unreachable; never a partial series"),
  };
}

/** Describes the answer for a chain that is not tracked. */
export const UNKNOWN_CHAIN = {
  404: json(ErrorBody, "No tracked mainnet chain has this chainId"),
};

/** Characters of a bad value that its refusal shows. */
const LONGEST_SHOWN = 60;

type Issue = z.core.$ZodIssue;

function refusal(error: z.core.$ZodError, c: Context<Env>): Fault {
  const [first] = error.issues;
  const problems = error.issues.map((issue) => describe(issue, c));
  const failure = { kind: "badInput" } as const;
  const parameter = parameterOf(first!);
  const accepted = acceptedBy(first!);
  return new Fault(`Cannot accept ${problems.join("; ")}`, {
    ...failure,
    ...(parameter === undefined ? {} : { parameter }),
    ...(accepted === null ? {} : { accepted }),
  });
}

function describe(issue: Issue, c: Context<Env>): string {
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => JSON.stringify(shorten(key))).join(
      ", ",
    );
    return `parameter ${names}: ${issue.message}`;
  }
  const parameter = parameterOf(issue);
  if (parameter === undefined) return issue.message;
  const given = c.req.queries(parameter) ?? [];
  if (given.length > 1) {
    return `${parameter} ${given.length} times: it is accepted once`;
  }
  const accepted = acceptedBy(issue)?.join(", ") ?? issue.message;
  return `${parameter} "${shorten(given[0] ?? "")}": accepted ${
    issue.code === "invalid_value" ? "values are" : "is"
  } ${accepted}`;
}

function parameterOf(issue: Issue): string | undefined {
  return issue.code === "unrecognized_keys"
    ? issue.keys[0]
    : issue.path[0]?.toString();
}

function acceptedBy(issue: Issue): string[] | null {
  return issue.code === "invalid_value" ? issue.values.map(String) : null;
}

/** What a client sent is shown back, but not all of it. */
function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN
    ? text
    : `${text.slice(0, LONGEST_SHOWN)}…`;
}
