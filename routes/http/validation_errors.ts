/**
 * Validates queries outside the API, and builds the fault for invalid input from the
 * issues that zod reports.
 */
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import { Fault } from "../../services/platform/fault.ts";
import { shortened } from "../../services/platform/text.ts";

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

/** Input that does not match its schema. */
export interface RejectedInput {
  /** The part of the request: `query`, `param`, `json` or `page`. */
  readonly target: string;
  readonly data: unknown;
  readonly error: z.core.$ZodError;
  /** Returns all values that the query string has for a parameter. */
  readonly queries: (name: string) => string[];
}

type Issue = z.core.$ZodIssue;

/** Upper limit of the problems that an error message lists, and of the values of a repeated parameter. */
const MAX_PROBLEMS = 3;

/** Builds the fault. Its `invalid` lists the invalid members of an array, and its `reasons` what was expected of each. */
export function invalidInput(rejected: RejectedInput): Fault {
  const { issues } = rejected.error;
  const first = issues[0]!;
  const problems = issues.slice(0, MAX_PROBLEMS)
    .map((issue) => describe(issue, rejected));
  if (issues.length > MAX_PROBLEMS) {
    problems.push(`and ${issues.length - MAX_PROBLEMS} more`);
  }
  const parameter = first.code === "unrecognized_keys"
    ? shorten(first.keys[0]!)
    : first.path[0]?.toString();
  const accepted = acceptedValues(first);
  const members = issues.filter(({ path }) => path.length > 1);
  const invalid = members
    .map(({ path }) => textOf(valueAt(rejected.data, path)))
    .map((text) => isKeyLike(text) ? "…" : text);
  return new Fault(capitalize(problems.join("; ")), {
    kind: "badInput",
    ...(parameter === undefined ? {} : { parameter }),
    ...(accepted === null ? {} : { accepted }),
    ...(invalid.length === 0
      ? {}
      : { invalid, reasons: members.map(expectedBy) }),
  });
}

/** Returns an input that is no query, once validated. Throws a fault that says what is accepted. */
export function checkInput<Value>(
  schema: z.ZodType<Value>,
  data: unknown,
  target: "page" | "path" = "path",
): Value {
  const { data: valid, error } = schema.safeParse(data);
  if (error === undefined) return valid;
  throw invalidInput({ target, data, error, queries: () => [] });
}

function describe(issue: Issue, rejected: RejectedInput): string {
  if (rejected.target === "json") return describeBody(issue, rejected.data);
  const { target, data, queries } = rejected;
  if (issue.code === "unrecognized_keys") {
    return describeUnknown("parameter", issue);
  }
  // A repeated query parameter is an array, so the path's first part is its name.
  const name = issue.path[0]?.toString() ?? target;
  const values = target === "query" ? queries(name) : [];
  if (values.length > 1 && issue.path.length === 1) {
    // Only a list that has the right type can be too long, or fail a rule of its own.
    const isList = issue.code === "too_big" || issue.code === "custom";
    return isList
      ? `invalid ${name}: given ${values.length}, expected ${issue.message}`
      : `invalid ${name} ${quoteSome(values)}: expected one value`;
  }
  const given = target === "query"
    ? values[Number(issue.path[1] ?? 0)]
    : valueAt(data, issue.path);
  return describeValue(name, given, issue);
}

function describeBody(issue: Issue, data: unknown): string {
  if (issue.code === "unrecognized_keys") {
    return describeUnknown("field", issue);
  }
  const name = nameOf(issue.path);
  const given = valueAt(data, issue.path);
  return describeValue(name || "body", given, issue);
}

function describeValue(name: string, given: unknown, issue: Issue): string {
  const isSize = issue.code === "too_big" || issue.code === "too_small";
  if (isSize && Array.isArray(given)) {
    return `invalid ${name}: given ${given.length}, expected ${issue.message}`;
  }
  const expected = expectedBy(issue);
  return given === undefined
    ? `missing ${name}: ${expected}`
    : `invalid ${name} "${shorten(textOf(given))}": ${expected}`;
}

function describeUnknown(
  kind: string,
  { keys, message }: z.core.$ZodIssueUnrecognizedKeys,
): string {
  const names = keys.map((key) => JSON.stringify(shorten(key)));
  const plural = names.length === 1 ? "" : "s";
  return `unknown ${kind}${plural} ${names.join(", ")}: ${message}`;
}

function expectedBy(issue: Issue): string {
  const values = acceptedValues(issue);
  if (values === null) return `expected ${issue.message}`;
  return `expected ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;
}

/** Quotes the first of several values. */
function quoteSome(values: readonly string[]): string {
  const quoted = values.slice(0, MAX_PROBLEMS)
    .map((value) => `"${shorten(value)}"`);
  return [...quoted, ...values.length > MAX_PROBLEMS ? ["…"] : []].join(", ");
}

/** Writes a path as JavaScript does: `addresses[3]`, `limits.note`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.map((key) =>
    typeof key === "number" ? `[${key}]` : `.${String(key)}`
  )
    .join("").replace(/^\./, "");
}

/** Lists the values of an enumeration or a discriminator. Returns null for other issues. */
function acceptedValues(issue: Issue): string[] | null {
  if (issue.code === "invalid_value") return issue.values.map(String);
  // The discriminator of a union has its values in `options`.
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

/** Returns a JSON value as text, to be quoted in a message. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

function isKeyLike(text: string): boolean {
  return looksLikeKey(decodePercent(text));
}

/** Shortens a text to be quoted. A key in the wrong place must not be shown. */
function shorten(text: string): string {
  return isKeyLike(text) ? "…" : shortened(text);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
