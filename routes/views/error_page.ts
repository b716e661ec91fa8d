/** What a browser is shown where a request comes to nothing. */
import { html } from "hono/html";
import type { ErrorCode } from "../../services/platform/error_codes_schema.ts";
import { NAV, type Page } from "./layout.ts";

type Words = readonly [title: string, hint: string];

/** The heading and the consolation by error code. */
const WORDS: Readonly<Partial<Record<ErrorCode, Words>>> = {
  BAD_REQUEST: [
    "This address does not add up",
    "Mend the address and try again.",
  ],
  NOT_FOUND: ["Page not found", "It may have moved, or never was."],
  METHOD_NOT_ALLOWED: [
    "This cannot be done here",
    "Pages can only be looked at.",
  ],
  RATE_LIMITED: ["Too much at once", "Wait a little and try again."],
  INTERNAL: [
    "Something broke on our side",
    "It has been logged. Trying again is safe.",
  ],
  UPSTREAM_UNAVAILABLE: [
    "A source is out of reach",
    "Nothing partial is shown. Trying again in a minute is safe.",
  ],
  STORE_FULL: [
    "Nothing new can be stored now",
    "What is there can still be read. Trying again later is safe.",
  ],
  CONTENDED: [
    "Too many wanted the same at once",
    "Nothing was lost. Trying again in a moment is safe.",
  ],
};

/** Writes the page of an error, which names what is accepted as the API would. */
export function errorPage(
  { status, code, message }: {
    readonly status: number;
    readonly code: ErrorCode;
    readonly message: string;
  },
): Page {
  const [title, hint] = WORDS[code] ?? ["This did not work", ""];
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
