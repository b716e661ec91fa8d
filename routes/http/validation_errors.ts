/** What is wrong with a request, said with what is accepted. */
import type { z } from "@hono/zod-openapi";
import { Fault } from "../../services/platform/fault.ts";

/** Input that a schema refused: the part of the request it stood in, and what it was. */
export interface Refused {
  readonly target: string;
  readonly data: unknown;
  readonly error: z.core.$ZodError;
  /** All values that a query parameter was given. */
  readonly queries: (name: string) => string[];
}

type Issue = z.core.$ZodIssue;

/** Characters of a bad value that its refusal shows, and values of a list. */
const LONGEST_SHOWN = 60;
const MOST_SHOWN = 3;

/** Makes the fault of refused input; `invalid` lists the bad members of an array. */
export function refusalOf(refused: Refused): Fault {
  const { issues } = refused.error;
  const first = issues[0]!;
  const problems = issues.slice(0, MOST_SHOWN)
    .map((issue) => describe(issue, refused));
  if (issues.length > MOST_SHOWN) {
    problems.push(`and ${issues.length - MOST_SHOWN} more`);
  }
  const parameter = first.code === "unrecognized_keys"
    ? first.keys[0]
    : first.path[0]?.toString();
  const accepted = acceptedBy(first);
  const invalid = issues.filter(({ path }) => path.length > 1)
    .map(({ path }) => textOf(valueAt(refused.data, path)));
  return new Fault(`Cannot accept ${problems.join("; ")}`, {
    kind: "badInput",
    ...(parameter === undefined ? {} : { parameter }),
    ...(accepted === null ? {} : { accepted }),
    ...(invalid.length === 0 ? {} : { invalid }),
  });
}

function describe(issue: Issue, refused: Refused): string {
  if (refused.target === "json") return describeBody(issue, refused.data);
  const { target, data, queries } = refused;
  if (issue.code === "unrecognized_keys") {
    return unknownNames("parameter", issue);
  }
  // What a query gives several times has a name, and no places.
  const name = issue.path[0]?.toString() ?? target;
  const values = target === "query" ? queries(name) : [];
  if (values.length > 1) {
    return `${name} ${values.length} times: it is accepted once`;
  }
  const given = target === "query"
    ? values[0] ?? ""
    : textOf(valueAt(data, issue.path));
  return `${name} "${shorten(given)}": ${whatIsAccepted(issue)}`;
}

function describeBody(issue: Issue, data: unknown): string {
  if (issue.code === "unrecognized_keys") return unknownNames("field", issue);
  const name = nameOf(issue.path);
  const given = valueAt(data, issue.path);
  if (given === undefined) {
    return `the body: ${name} is missing: ${whatIsAccepted(issue)}`;
  }
  const isSize = issue.code === "too_big" || issue.code === "too_small";
  if (isSize && Array.isArray(given)) {
    return `${given.length} ${name}: accepted are ${issue.message}`;
  }
  const text = shorten(textOf(given));
  return `${name || "the body"} "${text}": ${whatIsAccepted(issue)}`;
}

function unknownNames(
  what: string,
  { keys, message }: z.core.$ZodIssueUnrecognizedKeys,
): string {
  const names = keys.map((key) => JSON.stringify(shorten(key)));
  const kind = names.length === 1 ? what : `${what}s`;
  return `${kind} ${names.join(", ")}: ${message}`;
}

function whatIsAccepted(issue: Issue): string {
  const values = acceptedBy(issue);
  return values === null
    ? `accepted is ${issue.message}`
    : `accepted values are ${values.join(", ")}`;
}

/** Names a place as JavaScript does: `addresses[3]`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.map((key) => typeof key === "number" ? `[${key}]` : String(key))
    .join("");
}

function acceptedBy(issue: Issue): string[] | null {
  if (issue.code === "invalid_value") return issue.values.map(String);
  // One field of an object says which of several it is.
  return issue.code === "invalid_union" && "options" in issue
    ? issue.options?.map(String) ?? null
    : null;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const key of path) {
    value = value === null || typeof value !== "object"
      ? undefined
      : Reflect.get(value, key);
  }
  return value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** What a client sent is shown back, but not all of it. */
function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN
    ? text
    : `${text.slice(0, LONGEST_SHOWN)}…`;
}
