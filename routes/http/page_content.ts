/** Pages in the response cache: rendered once, then sent as bytes. */
import { Hono } from "hono";
import { pageSecurity } from "../middleware/page_headers.ts";
import type { Page } from "../views/layout.ts";
import { renderPage } from "./page.ts";
import type { Content } from "./representation.ts";

/** Memory of cached pages, in bytes. */
export const MAX_PAGE_BYTES = 8 * 2 ** 20;

/** A page is rendered again after this time. */
const HELD_MS = 60_000;

/** The security headers of pages. A cached answer does not pass the middleware that sets them. */
let security: Promise<Record<string, string>> | undefined;

/** Renders a page as the content of an answer. It is cached for a minute. */
export async function pageContent(page: Page, now: Date): Promise<Content> {
  security ??= readSecurity();
  return {
    text: String(await renderPage(page)),
    type: "text/html; charset=UTF-8",
    fetchedAt: now.getTime(),
    changedAt: null,
    keep: {
      forMs: HELD_MS,
      headers: { ...await security, "Cache-Control": "no-cache" },
    },
  };
}

/** Returns the headers that the middleware sets. */
async function readSecurity(): Promise<Record<string, string>> {
  const app = new Hono().use(pageSecurity()).get("/", (c) => c.body(null));
  const { headers } = await app.request("/");
  return Object.fromEntries(headers);
}
