/** HTML page responses. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { MCP } from "../http/paths.ts";
import { importedUrls, staticUrl } from "./static_files.ts";
import { type Html, layout, type Page } from "./layout.ts";

/** Answers with a page; `Cache-Control: no-cache` unless the headers say otherwise. */
export function answerPage(
  c: Context,
  page: Page,
  { status = 200, headers = {} }: {
    readonly status?: ContentfulStatusCode;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Response | Promise<Response> {
  return c.html(renderPage(page), status, {
    "Cache-Control": "no-cache",
    ...headers,
  });
}

/** Renders a page with the URLs of its files. */
export function renderPage(page: Page): Html {
  return layout(page, {
    icon: staticUrl("firn.svg"),
    styles: ["firn.css", ...page.styles ?? []].map(staticUrl),
    modules: (page.modules ?? []).map(staticUrl),
    imports: [...new Set((page.modules ?? []).flatMap(importedUrls))],
  });
}

/** Returns whether a path belongs to the pages, where errors may be pages too. */
export function isPagePath(path: string): boolean {
  return !path.startsWith("/api/") && path !== MCP;
}

/** Returns whether a client prefers HTML to JSON, as browsers do. */
export function prefersPage(c: Context): boolean {
  return isPagePath(c.req.path) && accepts(c, {
        header: "Accept",
        supports: ["application/json", "text/html"],
        default: "application/json",
      }) === "text/html";
}

/**
 * Returns whether a client prefers JSON to an image. A proxy of pictures and an
 * embedding page ask for images or for anything, and can show nothing else.
 */
export function prefersJson(c: Context): boolean {
  return accepts(c, {
    header: "Accept",
    supports: ["image/svg+xml", "application/json"],
    default: "image/svg+xml",
    match: (asked, { default: image }) =>
      asked.toSorted((a, b) => b.q - a.q)
        .find(({ type }) => /^(?:image\/|application\/json$)/.test(type))
        ?.type ?? image,
  }) === "application/json";
}
