/** The error that a call fails with. */
import type { BatchItem, ErrorBody } from "./api_types.ts";
import type { AnswerMeta, RateLimit } from "./facts.ts";

/**
 * Why a call failed: a code of the service, or one of the client: `TIMEOUT` and
 * `NETWORK` without an answer, `BAD_ANSWER` for an answer that is not JSON, or a
 * redirect of a request with a key.
 */
export type FailureCode =
  | ErrorBody["code"]
  | "TIMEOUT"
  | "NETWORK"
  | "BAD_ANSWER";

/** Fields that the body of an error has besides `code` and `message`, by code. */
export interface FailureFields {
  /** An argument is invalid. */
  readonly BAD_REQUEST: {
    /** Name of the invalid parameter. */
    readonly parameter?: string;
    /** What the parameter accepts. */
    readonly accepted?: readonly string[];
    /** The invalid addresses of a batch. */
    readonly invalid?: readonly string[];
  };
  /** The plan does not include the endpoint. */
  readonly PLAN_REQUIRED: {
    /** Name of the plan that includes it. */
    readonly requiredPlan: string;
    /** URL at which the plan is sold. */
    readonly upgrade: string;
  };
  /** Too many requests in a short time. The client waits and tries again by itself. */
  readonly RATE_LIMITED: {
    /** Milliseconds to wait. */
    readonly retryAfterMs: number;
  };
  /** The quota of the period is spent. The client does not try again. */
  readonly QUOTA_EXCEEDED: {
    /** Milliseconds to wait. */
    readonly retryAfterMs: number;
    /** Units that the call costs. */
    readonly needed: number;
    /** Units that are left. */
    readonly remaining: number;
  };
  /** The cap of the key is used up. The client does not try again. */
  readonly KEY_CAP_EXCEEDED: {
    /** Milliseconds to wait. */
    readonly retryAfterMs: number;
    /** Units that the call costs. */
    readonly needed: number;
    /** Units that are left of the cap. */
    readonly remaining: number;
  };
  /** The key has no scope for the endpoint. */
  readonly SCOPE_REQUIRED: {
    /** The scope of the endpoint. */
    readonly scope: string;
    /** The scopes of the key. */
    readonly scopes: readonly string[];
  };
  /** The key may not be used from this network. */
  readonly NETWORK_NOT_ALLOWED: {
    /** The address that the request came from; null if unknown. */
    readonly address: string | null;
  };
  /** The series waits in the queue of the service. */
  readonly NOT_READ_YET: {
    /** Milliseconds after which it is read. */
    readonly retryAfterMs: number;
    /** Newest complete day of what is stored. */
    readonly dataThrough?: string;
    /** Days up to this one are served without the source. */
    readonly settledThrough?: string | null;
  };
  /** A source is unreachable. */
  readonly UPSTREAM_UNAVAILABLE: {
    /** Host of the source. */
    readonly upstream: string;
    /** Milliseconds to wait. */
    readonly retryAfterMs: number;
    /** Newest complete day of what is stored. */
    readonly dataThrough?: string;
    /** Days up to this one are served without the source. */
    readonly settledThrough?: string | null;
  };
}

/** The body of an error with a code. */
export type FailureBody<Code extends FailureCode> =
  & ErrorBody
  & (Code extends keyof FailureFields ? FailureFields[Code] : unknown);

/** The parts of a {@linkcode FirnError}. */
export interface FailureParts {
  /** Why the call failed. */
  readonly code: FailureCode;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Body of the answer. */
  readonly body?: ErrorBody | undefined;
  /** Facts of the answer. */
  readonly meta?: AnswerMeta | undefined;
  /** Milliseconds after which a new call may succeed. */
  readonly retryAfterMs?: number | null | undefined;
  /** The error below. */
  readonly cause?: unknown;
}

/**
 * A failed call. Branch on `code`, or narrow with `is`:
 *
 * ```ts ignore
 * if (error instanceof FirnError && error.is("PLAN_REQUIRED")) {
 *   console.log(error.body.requiredPlan, error.body.upgrade);
 * }
 * ```
 */
export class FirnError extends Error {
  /** Why the call failed. */
  readonly code: FailureCode;
  /** HTTP status; 0 without an answer. An argument that the client refuses itself has 400. */
  readonly status: number;
  /** Body of the answer; undefined if there was none. */
  readonly body: ErrorBody | undefined;
  /** Facts of the answer; undefined without an answer. */
  readonly meta: AnswerMeta | undefined;
  /** Milliseconds after which a new call may succeed; null if unknown. */
  readonly retryAfterMs: number | null;
  /** Items of a split batch that were answered, and charged, before a later part failed. */
  partial: readonly BatchItem[] = [];

  /** Creates an error from its parts. */
  constructor(
    message: string,
    { code, status, body, meta, retryAfterMs = null, cause }: FailureParts,
  ) {
    super(message, { cause });
    this.name = "FirnError";
    this.code = code;
    this.status = status;
    this.body = body;
    this.meta = meta;
    this.retryAfterMs = retryAfterMs;
  }

  /** Returns whether the error has a code, and types its body accordingly. */
  is<Code extends FailureCode>(
    code: Code,
  ): this is FirnError & {
    readonly code: Code;
    readonly body: FailureBody<Code>;
  } {
    return this.code === code;
  }

  /** The rate limits of the answer; undefined without an answer. */
  get rateLimit(): RateLimit | undefined {
    return this.meta?.rateLimit;
  }

  /** Whether a limit was reached: a burst (`RATE_LIMITED`), or the quota. */
  get isRateLimited(): boolean {
    return this.status === 429;
  }

  /** Whether the API key is missing or refused. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** Whether an argument is invalid. */
  get isBadRequest(): boolean {
    return this.status === 400;
  }
}

/** Codes of answers that carry none, such as those of a proxy. */
const CODES: Readonly<Record<number, ErrorBody["code"]>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "PLAN_REQUIRED",
  404: "NOT_FOUND",
  501: "NOT_ENABLED",
  502: "UPSTREAM_UNAVAILABLE",
  503: "UPSTREAM_UNAVAILABLE",
  504: "UPSTREAM_UNAVAILABLE",
};

/** Returns the error of an answer with a failing status. */
export function errorOf(
  text: string,
  meta: AnswerMeta,
  retryAfterMs: number | null,
): FirnError {
  const { status, rateLimit } = meta;
  const body = parseBody(text);
  const code = body?.code ??
    (status === 429
      ? rateLimit.remaining === 0 ? "QUOTA_EXCEEDED" : "RATE_LIMITED"
      : CODES[status] ?? "INTERNAL");
  const message = body?.message ?? body?.error ?? `Status is ${status}`;
  return new FirnError(message, { code, status, body, meta, retryAfterMs });
}

function parseBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error of an argument that the service would refuse. */
export function badRequest(message: string, fields: object = {}): FirnError {
  const code = "BAD_REQUEST";
  const docs = `/docs/errors#${code}`;
  const body = { error: message, message, code, docs, ...fields } as const;
  return new FirnError(message, { code, status: 400, body });
}
