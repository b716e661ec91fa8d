/** The search field of the documentation, and its page of results. */
import { html } from "hono/html";
import type { Hit } from "./search.ts";
import type { Html } from "../pages/layout.ts";

/** Longest text that one can search for, in characters. */
export const MAX_QUERY = 100;

/** Renders the search field. Without a script it opens the page of results. */
export function searchForm(query: string): Html {
  return html`
    <form class="docs-search" id="docs-search" role="search" action="/docs/search">
      <input type="search" name="q" value="${query}" required
        maxlength="${MAX_QUERY}" autocomplete="off" spellcheck="false"
        aria-label="Search the documentation"
        placeholder="Search the docs">
      <button class="button" type="submit">Search</button>
      <ul hidden></ul>
      <p class="visually-hidden" role="status"></p>
    </form>
  `;
}

/** Renders the results of a search. */
export function searchResults(query: string, hits: readonly Hit[]): Html {
  if (query === "") {
    return html`
      <h1>Search</h1>
      <p>Type a word: an endpoint, an error code, a metric, a setting.</p>
    `;
  }
  return html`
    <h1>Results for “${query}”</h1>
    ${hits.length === 0
      ? html`<p>Nothing was found. Try fewer or shorter words.</p>`
      : html`<ol class="docs-hits">${
        hits.map(({ href, title, page, excerpt }) =>
          html`<li><a href="${href}">${title}</a> <span class="small muted">${page}</span>
        <p class="small">${excerpt}</p></li>`
        )
      }</ol>`}
  `;
}
