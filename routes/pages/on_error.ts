/** Maps errors to HTTP answers. */
import { redactKeys } from "../../services/platform/observability/redact.ts";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { STORE_BUSY_MS } from "../../services/platform/kv/sqlite_errors.ts";
import { CommitOutcomeUnknown } from "../../services/platform/kv/commit.ts";
import {
  docsOfError,
  ERROR_MEANINGS,
  type ErrorCode,
} from "../../services/platform/error_codes_schema.ts";
import {
  type Failure,
  Fault,
  isStoreBusy,
} from "../../services/platform/fault.ts";
import {
  policyEntry,
  statusEntry,
  VARY_BY_KEY,
} from "../http/rate_limit_headers.ts";
import { EXPOSED_HEADERS } from "../http/representation.ts";
import {
  ERROR_STATUSES,
  INTERNAL,
  simulatedHeaders,
  statusOf,
} from "../http/error_statuses.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { instant } from "./tables.ts";
import { answerPage, isPagePath, prefersPage } from "./page.ts";
import { html } from "hono/html";
import { LINKING } from "../http/paths.ts";
import { NAV, type Page } from "./layout.ts";
import { unbroken } from "./unbroken.ts";

/** The body of an error that is not a fault. Its own message may contain secrets. */
function internalBody() {
  const message = "internal error";
  return {
    error: message,
    message,
    code: INTERNAL,
    docs: docsOfError(INTERNAL),
  } as const;
}

/** Scripts of other origins may read the request id, by which an error is found in the log. */
const ERROR_HEADERS = {
  "Cache-Control": "no-store",
  "Access-Control-Expose-Headers": [...EXPOSED_HEADERS, "X-Request-Id"]
    .join(","),
} as const;

/** Returns the fault of a commit whose outcome is unknown. */
function outcomeUnknown(cause: CommitOutcomeUnknown): Fault {
  return new Fault(
    "The database did not answer in time: the request may have taken effect, and may have been charged",
    { kind: "storeBusy", retryAfterMs: STORE_BUSY_MS },
    { cause },
  );
}

/** Answers an error: a fault by the table, any other error as 500 without its message. */
export function onError(
  error: Error,
  c: Context,
): Response | Promise<Response> {
  if (error instanceof Fault) return answerFault(c, error);
  if (error instanceof CommitOutcomeUnknown) {
    return answerFault(c, outcomeUnknown(error));
  }
  const headers = { ...ERROR_HEADERS, ...varyOf(c) };
  const body = internalBody();
  if (!prefersPage(c)) return c.json(body, 500, headers);
  const page = errorPage({
    path: c.req.path,
    status: 500,
    code: body.code,
    message: `${body.message}; request id ${c.get("requestId")}`,
  });
  return answerPage(c, page, { status: 500, headers });
}

/** Where the banner of an old page stands. */
const MAIN = /<main\b[^>]*>/;

/**
 * Creates the handler of errors: while the database does not answer, the last answer
 * in a cache is sent, with its `Age`, and a page with a banner.
 */
export function onErrorWith(
  { now }: Pick<PlatformDeps, "now">,
  caches: readonly Pick<ResponseCache, "recallStale">[],
): typeof onError {
  return async (error, c) => {
    if (!isStoreBusy(error) && !(error instanceof CommitOutcomeUnknown)) {
      return onError(error, c);
    }
    const isPage = prefersPage(c);
    // The banner is put into the text, which is another version than the cached one.
    const request = isPage ? new Request(c.req.url) : c.req.raw;
    let held: Response | undefined;
    for (const { recallStale } of caches) held ??= recallStale(request);
    if (held === undefined || !isPage) return held ?? onError(error, c);
    const { headers } = held;
    const readAt = now().getTime() - 1_000 * Number(headers.get("Age"));
    const banner = await html`
      <p class="notice notice-warn" role="status">The database does not answer now.
        This page is as it was at ${instant(
          new Date(readAt).toISOString(),
        )}.</p>
    `;
    const text = await held.text();
    headers.delete("ETag");
    return new Response(text.replace(MAIN, (main) => main + banner), held);
  };
}

/** Creates the handler of errors that the app itself threw: logs them and answers 500. */
export function onCrash({ log }: Pick<PlatformDeps, "log">) {
  return (error: unknown): Response => {
    const requestId = crypto.randomUUID();
    log("request.failed", { requestId, status: 500, error });
    const headers = { ...ERROR_HEADERS, "X-Request-Id": requestId };
    return Response.json(internalBody(), { status: 500, headers });
  };
}

/** The challenge (RFC 9110, 11.6.1) of each failure to authenticate. */
const CHALLENGES: Partial<
  Record<Failure["kind"], Readonly<Record<string, string>>>
> = {
  unauthorized: {
    "WWW-Authenticate": 'ApiKey realm="firn", header="X-Api-Key"',
    ...VARY_BY_KEY,
  },
  signedOut: { "WWW-Authenticate": 'EIP-4361 realm="firn"' },
  signatureRefused: { "WWW-Authenticate": 'EIP-4361 realm="firn"' },
};

/** Where pages exist, the Accept header decides between a page and JSON. */
function varyOf(c: Context): Record<string, string> {
  return isPagePath(c.req.path) ? { Vary: "Accept" } : {};
}

/** Status and headers of a fault's answer. */
interface FaultHead {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;
}

/** Returns the status and the headers of a fault's answer. */
export function headOfFault(c: Context, fault: Fault): FaultHead {
  const { kind, ...facts } = fault.failure;
  const status = statusOf(fault.failure, c.req.path);
  const headers: Record<string, string> = {
    ...ERROR_HEADERS,
    ...varyOf(c),
    ...CHALLENGES[kind],
    ...simulatedHeaders(fault),
  };
  if ("retryAfterMs" in facts) {
    const seconds = Math.max(1, Math.ceil(facts.retryAfterMs / 1000));
    headers["Retry-After"] = String(seconds);
    if ("perSeconds" in facts) {
      const { of, most, perSeconds } = facts;
      headers["RateLimit-Policy"] = policyEntry(of, most, perSeconds);
      headers["RateLimit"] = statusEntry(of, 0, seconds);
    }
  }
  if ("allowed" in facts) headers["Allow"] = facts.allowed.join(", ");
  if ("bytes" in facts) headers["Content-Range"] = `bytes */${facts.bytes}`;
  return { status, headers };
}

/** Answers a fault. */
export function answerFault(
  c: Context,
  fault: Fault,
): Response | Promise<Response> {
  const { code } = ERROR_STATUSES[fault.failure.kind];
  const { status, headers } = headOfFault(c, fault);
  const { message } = fault;
  if (prefersPage(c)) {
    const page = errorPage({
      path: c.req.path,
      status,
      code,
      message: redactKeys(message),
    });
    return answerPage(c, page, { status, headers });
  }
  headers["Content-Type"] = "application/json";
  return c.body(jsonOfFault(fault), status, headers);
}

/** Returns the JSON body of a fault. */
export function jsonOfFault({ message, failure }: Fault): string {
  const { kind, ...facts } = failure;
  const { code } = ERROR_STATUSES[kind];
  // Messages and facts contain client input, which may be a secret.
  const body = {
    error: message,
    message,
    code,
    docs: docsOfError(code),
    ...facts,
  };
  return redactKeys(JSON.stringify(body));
}

type Words = readonly [title: string, hint: string];

/** Heading and advice of the codes that a page or a file is refused with. */
const WORDS: Readonly<Partial<Record<ErrorCode, Words>>> = {
  BAD_REQUEST: [
    "This link has a mistake",
    "The part named below is not accepted.",
  ],
  NOT_FOUND: [
    "Page not found",
    "Check the address, or start from here.",
  ],
  METHOD_NOT_ALLOWED: [
    "This page cannot be opened this way",
    "Open it by its address or from a link.",
  ],
  PRECONDITION_FAILED: [
    "The file has changed",
    "You asked for another version of it. Open it again from the list.",
  ],
  RANGE_NOT_SATISFIABLE: [
    "The file has no such part",
    "Download it whole, or ask for bytes within its size.",
  ],
  RATE_LIMITED: ["Too many requests", "Wait a moment and try again."],
  SCORING_BUSY: [
    "Other addresses come first",
    "The sources allow no more calls at the moment. A place is kept for this address: try again in a moment.",
  ],
  CAPACITY_SPENT: [
    "The calls of a day are used up",
    "The sources allow no more. Come back later, or open an address that was read today.",
  ],
  INTERNAL: [
    "Something went wrong on our side",
    "The error was logged. You can try again, or report it with the id below.",
  ],
  UPSTREAM_UNAVAILABLE: [
    "A data source is unreachable",
    "Try again in a minute.",
  ],
  NOT_READ_YET: [
    "Not read yet",
    "Our own limit of calls is used up. The figures wait in our queue, and no source is down.",
  ],
  STORE_BUSY: [
    "The database is busy",
    "Nothing was lost. Try again in a moment.",
  ],
  STORE_FULL: [
    "Changes cannot be saved right now",
    "You can still read everything. Try again later.",
  ],
  CONTENDED: [
    "Too many simultaneous requests",
    "Nothing was lost. Try again in a moment.",
  ],
  NOT_ENABLED: [
    "Not available here",
    "The operator of this service has not enabled it.",
  ],
  LINK_REFUSED: [
    "The account was not linked",
    "Start again on your profile page.",
  ],
  SOCIAL_TAKEN: [
    "The account was not linked",
    "Another profile has it already.",
  ],
  SOCIAL_LINKED: [
    "The account was not linked",
    "Your profile has an account of this kind: unlink it on your profile page first.",
  ],
  PROFILE_REQUIRED: [
    "You have no profile yet",
    "Claim it on your profile page, then link the account.",
  ],
  SIGNED_OUT: ["You are signed out", "Sign in on the dashboard."],
};

/** Returns heading and advice of a code; the advice of the documentation where no page meets the code. */
function wordsOf(code: ErrorCode): Words {
  const { when, then } = ERROR_MEANINGS[code];
  const sentence = (text: string) =>
    `${text[0]!.toUpperCase()}${text.slice(1)}.`.replaceAll("`", "");
  return WORDS[code] ??
    ["This did not work", `${sentence(when)} ${sentence(then)}`];
}

/** Where a reader can go on, by the beginning of the path. The first match wins. */
const NEXT:
  readonly (readonly [prefix: string, href: string, label: string])[] = [
    ["/chains", "/chains", "See all chains"],
    ["/docs", "/docs/search", "Search the documentation"],
    ["/tools/score", "/tools/score", "Look up a score"],
    ["/profile", "/tools/score", "Score an address"],
    ["/account", "/dashboard/profile", "Back to your profile"],
    ["/dashboard", "/dashboard", "Open the dashboard"],
    ["/downloads", "/downloads", "See all files"],
    ["", NAV.explorer.href, "Open the explorer"],
  ];

/** Statuses after which the same request may succeed. */
const RETRIED: readonly number[] = [429, 500, 503];

/** Renders the page of an error, with the same message as the API. */
export function errorPage(
  { path, status, code, message }: {
    /** The path that failed. */
    readonly path: string;
    readonly status: number;
    readonly code: ErrorCode;
    readonly message: string;
  },
): Page {
  const [title, hint] = wordsOf(code);
  const [, href, label] = NEXT.find(([prefix]) => path.startsWith(prefix))!;
  // A callback can be used once: its state is removed by the first request.
  const canRetry = RETRIED.includes(status) && !path.startsWith(LINKING);
  // What fails on our side is explained by the status, anything else by the documentation.
  const more = status < 500
    ? { href: NAV.docs.href, label: "Read the documentation" }
    : { href: NAV.status.href, label: "See the status" };
  return {
    title,
    description: message,
    isIndexed: false,
    body: html`
      <div class="error-page stack">
        <p class="eyebrow">Error ${status}</p>
        <h1>${title}</h1>
        <p class="lede">${hint}</p>
        <p class="notice ${status < 500 ? "" : "notice-warn"}">${unbroken(
          message,
        )}</p>
        <p
          class="cluster">${canRetry
            ? html`<a class="button button-primary" href="">Try again</a>`
            : ""} <a class="button ${canRetry
            ? ""
            : "button-primary"}" href="${href}">${label}</a>
      <a class="button" href="${more.href}">${more.label}</a></p>
      </div>
    `,
  };
}
