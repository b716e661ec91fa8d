/** The layout of every page: head, navigation, footer. */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { PICTURE_SIZE } from "./drawable_names.ts";

/** Escaped markup. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The main navigation. */
export const NAV = {
  explorer: { href: "/", label: "Explorer" },
  chains: { href: "/chains", label: "Chains" },
  score: { href: "/tools/score", label: "Score" },
  dashboard: { href: "/dashboard", label: "Dashboard" },
  docs: { href: "/docs", label: "Docs" },
  status: { href: "/status", label: "Status" },
} as const;

/** A page: its metadata and content. */
export interface Page {
  /** Title without the name of the site. */
  readonly title: string;
  /** One or two sentences for search engines and previews. */
  readonly description: string;
  /** Content of `<main>`, with the only `<h1>`. */
  readonly body: Html;
  /** The navigation entry to mark as current. */
  readonly nav?: keyof typeof NAV;
  /** Canonical URL, absolute. */
  readonly url?: string;
  /** Absolute URL of the picture of 1200 × 630 pixels that previews of links show. */
  readonly picture?: string;
  /** False adds `noindex`. */
  readonly isIndexed?: boolean;
  /** Additional stylesheets and ES modules, as paths in `static/`. */
  readonly styles?: readonly string[];
  readonly modules?: readonly string[];
  /** After how many seconds a browser without scripts loads the page again; never if absent. */
  readonly refreshSeconds?: number;
  /** The Atom feed of what the page lists. */
  readonly feed?: { readonly title: string; readonly href: string };
  /** What the page is about, in terms of schema.org (JSON-LD). */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** URLs of a page's files. */
interface Assets {
  readonly icon: string;
  readonly styles: readonly string[];
  readonly modules: readonly string[];
  /** What the modules import. */
  readonly imports: readonly string[];
}

/** What every page and card says while the figures are simulated; empty otherwise. */
let simulated = "";

/**
 * Marks every page and card of this process, until the mark is disposed of. The demo
 * does it before the service starts.
 */
export function markPagesSimulated(): Disposable {
  simulated = "Demo: everything here is simulated";
  return {
    [Symbol.dispose]() {
      simulated = "";
    },
  };
}

/** Returns what a page or a card says of simulated figures; an empty text for real ones. */
export function simulatedWords(): string {
  return simulated;
}

/**
 * Renders a whole page. Its modules stand at the end: on a slow line they would delay
 * the stylesheets, which the first paint waits for.
 */
export function layout(
  page: Page,
  { icon, styles, modules, imports }: Assets,
): Html {
  const { title, description, url, isIndexed = true } = page;
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Firn</title>
    <meta name="description" content="${description}">
    ${isIndexed ? "" : html`<meta name="robots" content="noindex">`}
    ${url === undefined ? "" : html`<link rel="canonical" href="${url}">
<meta property="og:url" content="${url}">`}
    <meta property="og:site_name" content="Firn">
    <meta property="og:type" content="website">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    ${page.picture === undefined
      ? html`<meta name="twitter:card" content="summary">`
      : preview(page.picture, title)}
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f7f9fb" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#0c1318" media="(prefers-color-scheme: dark)">
    <link rel="service-desc" type="application/json" href="/openapi.json">
    <link rel="service-doc" type="text/html" href="/docs">
    ${page.feed === undefined ? "" : html`
      <link rel="alternate" type="application/atom+xml" title="${page.feed
        .title}"
        href="${page.feed.href}">
    `}
    <link rel="icon" type="image/svg+xml" href="${icon}">
    ${styles.map(stylesheet)}
    ${page.refreshSeconds === undefined
      ? ""
      : html`<noscript><meta http-equiv="refresh"
content="${page.refreshSeconds}"></noscript>`}
    ${page.facts === undefined ? "" : factsBlock(page.facts)}
      </head>
      <body>
        <a class="skip-link" href="#main">Skip to content</a>
        <header class="site-header">
          ${simulated === "" ? "" : html`
            <p class="simulated"><span class="wrap">${simulated}</span></p>
          `}
          <div class="wrap">
            <a class="brand" href="/" aria-label="Firn, home">${mark} Firn</a>
            <button class="site-menu" type="button" popovertarget="site-nav">Menu</button>
            <nav class="site-nav" id="site-nav" aria-label="Main" popover>${navigation(
              page.nav,
            )}</nav>
          </div>
        </header>
        <main id="main" class="wrap" tabindex="-1">
    ${page.body}
        </main>
        <footer class="site-footer">
          <div class="wrap cluster spread">
            <p>Daily metrics of the Avalanche <span class="nowrap">C-Chain</span> and its L1s,
    with every disagreement between sources, and wallet scores.</p>
            <nav class="cluster"
              aria-label="More"><a href="/docs/limits">Prices</a>
    <a href="/downloads">Downloads</a> <a href="/docs/checked-series">Method</a>
    <a href="/tools/verify-attestation">Verification</a> <a href="/docs/bulk-files#licence">Licence</a>
    <a href="/docs/privacy">Privacy</a> <a href="/docs/quick-start-chain-data">Chain data API</a>
    <a href="/docs/quick-start-scores">Scoring API</a> <a href="/openapi.json">OpenAPI (JSON)</a></nav>
          </div>
        </footer>
    ${modules.map((src) =>
      html`<script type="module" fetchpriority="low" src="${src}"></script>`
    )}
    ${imports.map((href) =>
      html`<link rel="modulepreload" fetchpriority="low" href="${href}">`
    )}
      </body>
    </html>
  `;
}

function stylesheet(href: string): Html {
  return html`<link rel="stylesheet" href="${href}">`;
}

/** Writes which picture previews of links show. */
function preview(picture: string, title: string): Html {
  return html`<meta property="og:image" content="${picture}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PICTURE_SIZE.width}">
<meta property="og:image:height" content="${PICTURE_SIZE.height}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">`;
}

/** Writes facts as a data block. Browsers do not run it, so the Content-Security-Policy needs no hash. */
function factsBlock(facts: NonNullable<Page["facts"]>): Html {
  const json = JSON.stringify({ "@context": "https://schema.org", ...facts })
    .replaceAll("<", "\\u003c");
  return html`<script type="application/ld+json">${raw(json)}</script>`;
}

/** The logo: layers of firn, which is old snow. */
const mark = html`
  <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M2 8 12 3l10 5-10 5z" />
    <path d="m2 12.5 10 5 10-5" />
    <path d="m2 17 10 5 10-5" />
  </svg>
`;

function navigation(current: Page["nav"]) {
  return Object.entries(NAV).map(([name, { href, label }]) =>
    name === current
      ? html`<a href="${href}" aria-current="page">${label}</a>`
      : html`<a href="${href}">${label}</a>`
  );
}
