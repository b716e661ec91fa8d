/** What a browser is shown where a request comes to nothing. */
import { html } from "hono/html";
import { NAV, type Page } from "./layout.ts";

/** The heading and the consolation by HTTP status. */
const WORDS: Readonly<Record<number, readonly [title: string, hint: string]>> =
  {
    400: ["This address does not add up", "Mend the address and try again."],
    404: ["Page not found", "It may have moved, or never was."],
    405: ["This cannot be done here", "Pages can only be looked at."],
    429: ["Too much at once", "Wait a little and try again."],
    500: [
      "Something broke on our side",
      "It has been logged. Trying again is safe.",
    ],
    503: [
      "A source is out of reach",
      "Nothing partial is shown. Trying again in a minute is safe.",
    ],
  };

/** Writes the page of an error, which names what is accepted as the API would. */
export function errorPage(
  { status, message }: { readonly status: number; readonly message: string },
): Page {
  const [title, hint] = WORDS[status] ?? ["This did not work", ""];
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
