/** Errors of the Metrics API. */
import { HTTPException } from "hono/http-exception";

/** The part of a zod schema that `parse` uses. */
interface Schema<T> {
  /** Parses a value; either `data` or `error` is set. */
  safeParse(value: unknown): {
    data?: T | undefined;
    error?: { issues: readonly Issue[] } | undefined;
  };
}

/** A validation issue. */
interface Issue {
  /** The path of the invalid field. */
  readonly path: readonly PropertyKey[];
  /** The reason. */
  readonly message: string;
}

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  404: "Not Found",
  500: "Internal Server Error",
};

/** Throws an error that is answered with this status. */
export function refuse(status: 400 | 404, message: string): never {
  throw new HTTPException(status, { message });
}

/** Parses a value; throws a 400 that names the field. */
export function parse<T>(schema: Schema<T>, value: unknown, name?: string): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data!;
  const [issue] = error.issues;
  const field = name ?? issue!.path.join(".");
  refuse(400, `${field}: ${issue!.message}`);
}

/** Formats an error like the Metrics API: the message of a 400 is a list. */
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
