/** The layout of documentation pages: content and navigation. */
import { html } from "hono/html";
import type { Html, Page } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";
import type { Hit } from "./search.ts";

/** A link in a list. */
interface DocsLink {
  readonly href: string;
  readonly label: string;
}

/** A titled list of links. */
export interface DocsGroup {
  readonly title: string;
  readonly links: readonly DocsLink[];
}

/** A page of the documentation. */
interface DocsPage {
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** Path of the page. The navigation marks it as current. */
  readonly path: string;
  /** The navigation. */
  readonly groups: readonly DocsGroup[];
  /** The sections of this page. */
  readonly contents?: readonly DocsLink[];
  /** Path of the page as Markdown. */
  readonly markdown?: string;
  readonly facts?: NonNullable<Page["facts"]>;
  readonly feed?: NonNullable<Page["feed"]>;
  /** Modules beside those of every page. */
  readonly modules?: readonly string[];
  /** False adds `noindex`. */
  readonly isIndexed?: boolean;
  /** What was searched for, on the page of results. */
  readonly query?: string;
  readonly body: Html;
}

/** Renders a page. */
export function docsPage(props: DocsPage): Page {
  const { title, description, url, path, groups, contents = [] } = props;
  const { facts, feed, isIndexed = true, query = "" } = props;
  return {
    title,
    description,
    url,
    nav: "docs",
    styles: ["docs.css"],
    modules: ["copy.js", "tabs.js", "docs_search.js", ...props.modules ?? []],
    isIndexed,
    ...facts && { facts },
    ...feed && { feed },
    body: html`
      <div class="docs">
        <div class="docs-content">
          ${searchForm(query)}
          ${path === "/docs" ? "" : trail(props)}
          ${props.body}
        </div>
        ${contents.length < 2
          ? ""
          : html`<nav class="docs-side docs-contents" aria-label="On this page">
          <p class="docs-title">On this page</p>${list(contents, path)}</nav>`}
        <nav class="docs-side docs-nav" aria-label="Documentation">${groups.map(
          ({ title, links }) =>
            html`<p class="docs-title">${title}</p>${list(links, path)}`,
        )}</nav>
      </div>
    `,
  };
}

function trail({ title, markdown, feed }: DocsPage): Html {
  return html`<p class="cluster small docs-trail"><a href="/docs">Docs</a>
    <span aria-hidden="true">/</span> <span>${title}</span>
    ${
    markdown === undefined
      ? ""
      : html`<a class="docs-source" href="${markdown}">View as Markdown</a>`
  }${
    feed === undefined ? "" : html`
      <a href="${feed.href}">Subscribe (Atom)</a>
    `
  }</p>`;
}

function list(links: readonly DocsLink[], path: string): Html {
  return html`<ul>${
    links.map(({ href, label }) =>
      html`<li>${
        href === path
          ? html`<a href="${href}" aria-current="page">${label}</a>`
          : html`<a href="${href}">${label}</a>`
      }</li>`
    )
  }</ul>`;
}

/** A guide as the index lists it. */
export interface GuideCard extends DocsLink {
  readonly description: string;
}

/** Renders the index of the documentation. */
export function docsHome(
  { groups, tags }: {
    readonly groups: readonly {
      readonly title: string;
      readonly guides: readonly GuideCard[];
    }[];
    readonly tags: readonly GuideCard[];
  },
): Html {
  return html`
    <div class="stack stack-large">
      <header class="stack stack-small">
        <h1>Documentation</h1>
        <p class="lede">Two JSON APIs over HTTP: chain data without a key, and wallet scores
          with an API key. You can run every example as it is.</p>
        <p class="cluster"><a class="button button-primary" href="/docs/quick-start-chain-data">Get chain data</a>
          <a class="button" href="/docs/quick-start-scores">Get a score</a>
          <a class="button" href="/docs/reference">Reference</a></p>
      </header>
      ${groups.map(({ title, guides }) => cards(title, guides))}
      ${cards("Reference", tags)}
      <p class="small muted">Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>,
        <a href="/llms.txt">llms.txt</a>, and each guide as Markdown: add
        <code>.md</code> to its URL.</p>
    </div>
  `;
}

function cards(title: string, links: readonly GuideCard[]): Html {
  return html`
    <section class="stack stack-small">
      <h2>${title}</h2>
      <ul class="grid is-even docs-cards">${links.map((
        { href, label, description },
      ) =>
        html`<li><a href="${href}">${label}</a> <span>${
          unbroken(firstSentence(description))
        }</span></li>`
      )}</ul>
    </section>
  `;
}

/** A list is read at a glance: the rest of a description is on the page itself. */
function firstSentence(description: string): string {
  return description.match(/^.*?\.(?=\s|$)/s)?.[0] ?? description;
}

/** Renders the content of a guide. */
export function prose(body: Html): Html {
  return html`<article class="prose">${body}</article>`;
}

/** Longest text that one can search for, in characters. */
export const MAX_QUERY = 100;

/** Renders the search field. Without a script it opens the page of results. */
function searchForm(query: string): Html {
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
      : html`<ol class="stack docs-hits">${
        hits.map(({ href, title, page, excerpt }) =>
          html`<li><a href="${href}">${title}</a> <span class="small muted">${page}</span>
        <p class="small">${excerpt}</p></li>`
        )
      }</ol>`}
  `;
}
