/** Answers kept as bytes, so that a repeated question costs no work. */
import type { Context, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import type { Deps } from "../services/deps.ts";
import { singleFlight } from "../services/single_flight.ts";
import {
  type Content,
  isCurrent,
  maxStaleMs,
  represent,
  type Representation,
  respond,
} from "./representation.ts";

/** Memory that answers may take, in bytes. */
const MOST_BYTES = 48 * 2 ** 20;

/** Bytes an entry costs beside its bodies. */
const ENTRY_BYTES = 1024;

/** What makes an answer, given how stale a one the client accepts. */
export type MakeContent = (
  tolerance: { maxStaleMs: number },
) => Promise<Content>;

/** Answers kept by the path and query they were asked with. */
export function warmAnswers({ now }: Pick<Deps, "now">) {
  const held = new LRUCache<string, Representation>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ encodings: { identity, gzip } }) =>
      ENTRY_BYTES + identity.body.byteLength + gzip.body.byteLength,
  });

  const fly = singleFlight();

  const middleware: MiddlewareHandler = (c, next) => {
    const { method } = c.req;
    const answer = method === "GET" || method === "HEAD"
      ? held.get(keyOf(c))
      : undefined;
    const ms = now().getTime();
    if (answer === undefined || !isCurrent(answer, ms)) return next();
    return Promise.resolve(respond(c, answer, ms));
  };

  /** Makes an answer once for all who wait for it, keeps it while it is good, and sends it. */
  async function send(c: Context, make: MakeContent): Promise<Response> {
    const tolerance = { maxStaleMs: maxStaleMs(c) };
    const key = keyOf(c);
    const answer = await fly(`${tolerance.maxStaleMs} ${key}`, async () => {
      const content = await make(tolerance);
      const ms = now().getTime();
      const made = await represent(content, ms);
      if (isCurrent(made, ms)) held.set(key, made);
      return made;
    });
    return respond(c, answer, now().getTime());
  }

  return { middleware, send };
}

/** Keeps and sends answers. */
export type WarmAnswers = ReturnType<typeof warmAnswers>;

/** The request target: all of the URL behind the host. */
function keyOf(c: Context): string {
  const { url } = c.req;
  return url.slice(url.indexOf("/", 8));
}
