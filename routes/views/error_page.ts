/** The error page. */
import { html } from "hono/html";
import type { ErrorCode } from "../../services/platform/error_codes_schema.ts";
import { NAV, type Page } from "./layout.ts";

type Words = readonly [title: string, hint: string];

/** Heading and advice by error code. */
const WORDS: Readonly<Partial<Record<ErrorCode, Words>>> = {
  BAD_REQUEST: [
    "This link has a mistake",
    "The part named below is not accepted.",
  ],
  NOT_FOUND: [
    "Page not found",
    "Check the address, or start from the explorer.",
  ],
  METHOD_NOT_ALLOWED: [
    "Method not allowed",
    "Open this page with a GET request.",
  ],
  RATE_LIMITED: ["Too many requests", "Wait a moment and try again."],
  INTERNAL: [
    "Something went wrong on our side",
    "The error was logged. You can try again.",
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
};

/** Renders the page of an error, with the same message as the API. */
export function errorPage(
  { status, code, message }: {
    readonly status: number;
    readonly code: ErrorCode;
    readonly message: string;
  },
): Page {
  const [title, hint] = WORDS[code] ?? ["Something went wrong", ""];
  return {
    title,
    description: message,
    isIndexed: false,
    body: html`
      <div class="error-page stack">
        <p class="eyebrow">Error ${status}</p>
        <h1>${title}</h1>
        <p class="lede">${hint}</p>
        <p class="notice">${message}</p>
        <p
          class="cluster"><a class="button button-primary" href="${NAV.explorer
            .href}">Open the explorer</a>
      <a class="button" href="${NAV.docs.href}">Read the documentation</a></p>
      </div>
    `,
  };
}
