/** Answers requests that no route serves: a redirect, a 405 or a 404. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, NotFoundHandler } from "hono";
import { Fault } from "../services/platform/fault.ts";
import {
  decodePercent,
  redactKeys,
} from "../services/platform/observability/redact.ts";
import { shortened } from "../services/platform/text.ts";
import { hasTurn } from "../services/platform/cache.ts";
import { answerEmbedFault } from "./charts/charts.ts";
import { type ClientDeps, networkOfClient } from "./http/client_address.ts";
import { methodNotAllowed, methodsOf } from "./http/router.ts";
import { CHAIN_DATA, DOCS, EMBEDS, SCORING } from "./http/paths.ts";
import type { RenderQueue } from "./http/render_queue.ts";
import { OPENAPI } from "./docs/openapi.ts";
import { answerFault } from "./pages/on_error.ts";

/** Upper limit of the characters of a path in a message: every path with an address fits. */
const MAX_PATH = 200;

/** Which index a 404 points to, by path prefix. First match wins. */
const INDEXES = [
  [`${CHAIN_DATA}/`, CHAIN_DATA],
  [`${SCORING}/`, SCORING],
  ["/api/", OPENAPI],
  ["", DOCS],
] as const;

/**
 * Creates the handler of an app, which answers in the turn of the client's network. The
 * methods of a path are looked up here and not in a middleware, which every request
 * would pass.
 */
export function notFound(
  app: OpenAPIHono,
  deps: ClientDeps & { readonly publicUrl: string },
  renders: Pick<RenderQueue, "run">,
): NotFoundHandler {
  return (c) => {
    const work = () => Promise.resolve(answer(c));
    // A route may have found nothing in its turn.
    return hasTurn()
      ? work()
      : renders.run(networkOfClient(deps, c), work, { route: "/*" });
  };

  function answer(c: Context): Response | Promise<Response> {
    const trimmed = trimTrailingSlash(c);
    if (trimmed !== null) return trimmed;
    const { method, path } = c.req;
    const allowed = methodsOf(app, path);
    // A route of the path may have found nothing.
    if (allowed.length > 0 && !allowed.includes(method)) {
      return answerFault(c, methodNotAllowed(method, allowed));
    }
    return path.startsWith(`${EMBEDS}/`)
      ? answerEmbedFault(c, unknownPath(c), deps.publicUrl)
      : answerFault(c, unknownPath(c));
  }
}

/** Redirects a read to the path without trailing slashes, on the same host; null if it has none. */
function trimTrailingSlash(c: Context): Response | null {
  const { method, path, url } = c.req;
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || !/.\/$/.test(path)) return null;
  // A redirect would repeat it.
  if (withoutKeys(url) !== url) return null;
  const { pathname, search } = new URL(url);
  // The Location is a path only: the Host header is client input, and two
  // leading slashes would be parsed as a host.
  const trimmed = `/${pathname.replace(/^\/+/, "").replace(/\/+$/, "")}`;
  // A later release may serve the path.
  c.header("Cache-Control", "no-store");
  return c.redirect(`${trimmed}${search}`, 301);
}

/** Returns a URL or path to be shown: a key in it is cut. */
function withoutKeys(text: string): string {
  const decoded = decodePercent(text);
  const clean = redactKeys(decoded);
  return clean === decoded ? text : clean;
}

/** Returns the fault of a path that nothing serves. */
function unknownPath(c: Context): Fault {
  const { path } = c.req;
  const [, index] = INDEXES.find(([prefix]) => path.startsWith(prefix))!;
  const named = shortened(withoutKeys(path), MAX_PATH);
  const message = `Cannot find ${named}: see ${index}`;
  return new Fault(message, { kind: "unknownPath" });
}
