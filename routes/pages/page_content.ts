/** Pages in the response cache: rendered once, then sent as bytes. */
import { Hono, type MiddlewareHandler } from "hono";
import { MINUTE_MS } from "../../services/platform/days.ts";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { type ClientDeps, mayHaveSession } from "../http/client_address.ts";
import { embedSecurity, pageSecurity } from "../http/page_headers.ts";
import type { Page } from "./layout.ts";
import { renderPage } from "./page.ts";
import type { Content } from "../http/representation.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { type ResponseCache, responseCache } from "../http/response_cache.ts";

/** Memory of cached pages, in bytes: some hundreds of them. */
const MAX_PAGE_BYTES = 40 * 2 ** 20;

/** A page is rendered again after this time, unless its route says otherwise. */
const USUAL_PAGE_MS = MINUTE_MS;

/** The security headers of pages. A cached answer does not pass the middleware that sets them. */
let security: Promise<Record<string, string>> | undefined;
let securityOfEmbeds: Promise<Record<string, string>> | undefined;

/**
 * The response cache of pages. A request with a session goes to its route, so
 * that people see at once what they changed.
 */
export function pageCache(
  deps: Pick<PlatformDeps, "now"> & ClientDeps,
  renders: Pick<RenderQueue, "run">,
): ResponseCache {
  const cache = responseCache(deps, {
    maxBytes: MAX_PAGE_BYTES,
    renders,
  });
  return {
    ...cache,
    recall: (request) =>
      mayHaveSession(request.headers) ? undefined : cache.recall(request),
  };
}

/** How long a page is cached, in ms (0: not at all), and whether it shows a person. */
interface PageKeep {
  readonly forMs?: number;
  readonly isPersonal?: boolean;
}

/** Renders a page as the content of an answer. It is cached for a minute. */
export async function pageContent(
  page: Page,
  now: Date,
  { forMs = USUAL_PAGE_MS, isPersonal = false }: PageKeep = {},
): Promise<Content> {
  security ??= readHeaders(pageSecurity());
  return {
    text: String(await renderPage(page)),
    type: "text/html; charset=UTF-8",
    isPage: true,
    fetchedAt: now.getTime(),
    changedAt: null,
    keep: {
      forMs,
      isPersonal,
      headers: {
        ...await security,
        "Cache-Control": "no-cache",
        // A person sees more of the own page.
        "Vary": isPersonal ? "Accept-Encoding, Cookie" : "Accept-Encoding",
      },
    },
  };
}

/** Returns an embed as the content of an answer, which is cached like the data that it shows. */
export async function embedContent(
  text: string,
  dates: Pick<Content, "fetchedAt" | "changedAt">,
): Promise<Content> {
  securityOfEmbeds ??= readHeaders(embedSecurity());
  return {
    text,
    type: "text/html; charset=UTF-8",
    isPage: true,
    ...dates,
    headers: await securityOfEmbeds,
  };
}

/** Returns the headers that a middleware sets. */
async function readHeaders(
  middleware: MiddlewareHandler,
): Promise<Record<string, string>> {
  const app = new Hono().use(middleware).get("/", (c) => c.body(null));
  const { headers } = await app.request("/");
  return Object.fromEntries(headers);
}
