/** The error page. */
import { html } from "hono/html";
import type { ErrorCode } from "../../services/platform/error_codes_schema.ts";
import { LINKING } from "../http/paths.ts";
import { NAV, type Page } from "./layout.ts";
import { unbroken } from "./unbroken.ts";

type Words = readonly [title: string, hint: string];

/** Heading and advice by error code. */
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
  RATE_LIMITED: ["Too many requests", "Wait a moment and try again."],
  INTERNAL: [
    "Something went wrong on our side",
    "The error was logged. You can try again, or report it with the id below.",
  ],
  UPSTREAM_UNAVAILABLE: [
    "A data source is unreachable",
    "Try again in a minute.",
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
  SIGNED_OUT: ["You are signed out", "Sign in on the dashboard."],
};

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
  const [title, hint] = WORDS[code] ?? ["Something went wrong", ""];
  const [, href, label] = NEXT.find(([prefix]) => path.startsWith(prefix))!;
  // A callback can be used once: its state is removed by the first request.
  const canRetry = RETRIED.includes(status) && !path.startsWith(LINKING);
  return {
    title,
    description: message,
    isIndexed: false,
    body: html`
      <div class="error-page stack">
        <p class="eyebrow">Error ${status}</p>
        <h1>${title}</h1>
        ${hint === "" ? "" : html`<p class="lede">${hint}</p>`}
        <p class="notice ${status < 500 ? "" : "notice-warn"}">${unbroken(
          message,
        )}</p>
        <p class="cluster">${canRetry
          ? html`<a class="button button-primary" href="">Try again</a>`
          : ""} <a class="button ${canRetry
          ? ""
          : "button-primary"}" href="${href}">${label}</a>
      <a class="button" href="${NAV.docs.href}">Read the documentation</a></p>
      </div>
    `,
  };
}
