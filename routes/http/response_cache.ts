/** Answers kept as bytes, so that a repeated question costs no work. */
import type { Context } from "hono";
import { routePath } from "hono/route";
import { LRUCache } from "lru-cache";
import { boundedCache } from "../../services/platform/cache/bounded_cache.ts";
import type { PlatformDeps } from "../../services/platform/deps.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import { singleFlight } from "../../services/platform/cache/single_flight.ts";
import {
  type ClientDeps,
  networkOfClient,
} from "../middleware/client_address.ts";
import {
  type Content,
  isCurrent,
  maxStaleMs,
  represent,
  type Representation,
  respond,
} from "./representation.ts";

/** Memory that answers may take where nothing is said, in bytes. */
const MOST_BYTES = 16 * 2 ** 20;

/** Bytes an entry costs beside its bodies. */
const ENTRY_BYTES = 1024;

/** What makes an answer, given who asks and how stale a one they accept. */
export type MakeContent = (freshness: FreshnessOptions) => Promise<Content>;

/** Request targets that are remembered, and how long one may be. */
const MOST_TARGETS = 4096;
const LONGEST_TARGET = 256;

/**
 * Answers kept by route and checked parameters, so that however a question is
 * spelled, it is worked out once; and found by the request target alone, so
 * that a repeated one need not be checked again.
 */
export function responseCache(
  deps: Pick<PlatformDeps, "now"> & ClientDeps,
  { mostBytes = MOST_BYTES }: { readonly mostBytes?: number } = {},
) {
  const { now } = deps;
  const held = new LRUCache<string, Representation>({
    maxSize: mostBytes,
    sizeCalculation: ({ encodings: { identity, gzip } }) =>
      ENTRY_BYTES + identity.byteLength + gzip.byteLength,
  });
  const keysByTarget = boundedCache<string>(MOST_TARGETS);
  const fly = singleFlight();

  function find(key: string, ms: number): Representation | undefined {
    const answer = held.get(key);
    return answer && isCurrent(answer, ms) ? answer : undefined;
  }

  /** Answers a request that was asked before, without a look at what it means. */
  function recall(request: Request): Response | undefined {
    const { method, url } = request;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const target = targetOf(url);
    const key = target === null ? undefined : keysByTarget.get(target);
    if (key === undefined) return undefined;
    const ms = now().getTime();
    const answer = find(key, ms);
    return answer && respond(request, answer, ms);
  }

  /** Makes an answer once for all who ask the same, keeps it while it is good, and sends it. */
  async function send(
    c: Context,
    query: unknown,
    make: MakeContent,
  ): Promise<Response> {
    const key = JSON.stringify([routePath(c), paramsOf(c), query]);
    const target = targetOf(c.req.url);
    if (target !== null && target.length <= LONGEST_TARGET) {
      keysByTarget.set(target, key);
    }
    const client = networkOfClient(deps, c);
    const freshness = { maxStaleMs: maxStaleMs(c.req.raw), client };
    const answer = find(key, now().getTime()) ??
      await fly(`${freshness.maxStaleMs} ${key}`, async () => {
        const content = await make(freshness);
        const ms = now().getTime();
        const made = await represent(content, ms);
        if (isCurrent(made, ms)) held.set(key, made);
        return made;
      }, client);
    return respond(c.req.raw, answer, now().getTime());
  }

  return { recall, send };
}

/** Keeps and sends answers. */
export type ResponseCache = ReturnType<typeof responseCache>;

/** Returns the parameters of the path, checked where a schema does that. */
function paramsOf(c: Context): unknown {
  return c.req.valid("param" as never) ?? c.req.param();
}

/**
 * Returns all of a URL behind the host; null where the host, which the client
 * chooses, holds a mark that would have part of it read as the query.
 */
function targetOf(url: string): string | null {
  const start = url.indexOf("/", "https://".length);
  const isForged = [url.indexOf("?"), url.indexOf("#")]
    .some((mark) => mark !== -1 && mark < start);
  return isForged ? null : url.slice(start);
}
