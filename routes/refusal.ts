/** What is wrong with a request, said with what is accepted. */
import type { z } from "@hono/zod-openapi";
import { Fault } from "../services/domain/fault.ts";

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
    .map(({ path }) => valueAt(refused.data, path));
  return new Fault(`Cannot accept ${problems.join("; ")}`, {
    kind: "badInput",
    ...(parameter === undefined ? {} : { parameter }),
    ...(accepted === null ? {} : { accepted }),
    ...(invalid.length === 0 ? {} : { invalid }),
  });
}

function describe(issue: Issue, refused: Refused): string {
  const { target, data, queries } = refused;
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => JSON.stringify(shorten(key)));
    return `parameter ${names.join(", ")}: ${issue.message}`;
  }
  const name = nameOf(issue.path) || target;
  const values = target === "query" ? queries(name) : [];
  if (values.length > 1) {
    return `${name} ${values.length} times: it is accepted once`;
  }
  const given = target === "query"
    ? values[0] ?? ""
    : valueAt(data, issue.path);
  const accepted = acceptedBy(issue)?.join(", ") ?? issue.message;
  const verb = issue.code === "invalid_value" ? "values are" : "is";
  return `${name} "${shorten(given)}": accepted ${verb} ${accepted}`;
}

/** Names a place as JavaScript does: `addresses[3]`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.map((key) => typeof key === "number" ? `[${key}]` : String(key))
    .join("");
}

function acceptedBy(issue: Issue): string[] | null {
  return issue.code === "invalid_value" ? issue.values.map(String) : null;
}

/** Returns what stands at a path, as text. */
function valueAt(data: unknown, path: readonly PropertyKey[]): string {
  let value = data;
  for (const key of path) {
    value = value === null || typeof value !== "object"
      ? undefined
      : Reflect.get(value, key);
  }
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** What a client sent is shown back, but not all of it. */
function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN
    ? text
    : `${text.slice(0, LONGEST_SHOWN)}…`;
}
