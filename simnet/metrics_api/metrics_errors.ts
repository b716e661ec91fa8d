/** The refusals of the Metrics API. */
import { HTTPException } from "hono/http-exception";

/** What reads a value and tells what is wrong with it, as zod's schemas do. */
export interface Schema<T> {
  /** Reads a value; `data` or `error` is there. */
  safeParse(value: unknown): {
    data?: T | undefined;
    error?: { issues: readonly Issue[] } | undefined;
  };
}

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where it is wrong. */
  readonly path: readonly PropertyKey[];
  /** How it is wrong. */
  readonly message: string;
}

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  404: "Not Found",
  500: "Internal Server Error",
};

/** Stops a request. */
export function refuse(status: 400 | 404, message: string): never {
  throw new HTTPException(status, { message });
}

/** Reads a value or refuses it by name. */
export function parse<T>(schema: Schema<T>, value: unknown, name?: string): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data!;
  const [issue] = error.issues;
  const field = name ?? issue!.path.join(".");
  refuse(400, `${field}: ${issue!.message}`);
}

/** Answers a stopped request in upstream's shape: a 400 carries a list of messages. */
export function answerError(error: unknown): Response {
  const { status, message } = error instanceof HTTPException
    ? error
    : { status: 500, message: "Internal server error" };
  const body = {
    message: status === 400 ? [message] : message,
    error: ERROR_NAMES[status],
    statusCode: status,
  };
  return Response.json(body, { status });
}
