/** Response cache: answers kept as bytes. */
import type { Context } from "hono";
import { routePath } from "hono/route";
import { LRUCache } from "lru-cache";
import {
  ageMs,
  boundedCache,
  type FreshnessOptions,
  singleFlight,
} from "../../services/platform/cache.ts";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { type ClientDeps, networkOfClient } from "./client_address.ts";
import { refusalOfVersion } from "./preconditions.ts";
import type { RenderQueue } from "./render_queue.ts";
import {
  type Content,
  encode,
  isCurrent,
  maxStaleMs,
  represent,
  type Representation,
  respond,
  STALE_IF_ERROR_MS,
} from "./representation.ts";

/** Default size of a cache, in bytes. */
const MAX_BYTES = 24 * 2 ** 20;

/** Estimated overhead of an entry, in bytes. */
const ENTRY_BYTES = 1024;

/**
 * Bytes of an entry for each byte of its text: the text, its copy in the answer, and
 * both compressed bodies. For JSON, CSV and HTML each compressed body is smaller than
 * half of the text.
 */
const COPIES = 2.5;

/** Makes the content of an answer, with the freshness that the client accepts. */
type MakeContent = (freshness: FreshnessOptions) => Promise<Content>;

/** Bounds of the index by request target. */
const MAX_TARGETS = 4096;
const MAX_TARGET_CHARACTERS = 256;

/**
 * Caches answers by route and validated parameters, so that all spellings of a
 * query share one entry. An index by request target serves repeated requests
 * without validation.
 */
export function responseCache(
  deps: Pick<PlatformDeps, "now"> & ClientDeps,
  { maxBytes = MAX_BYTES, renders }: {
    readonly maxBytes?: number;
    /** The queue in which answers are made; none, so at once, in tests of the cache. */
    readonly renders?: Pick<RenderQueue, "run">;
  } = {},
) {
  const { now } = deps;
  const held = new LRUCache<string, Representation>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) =>
      ENTRY_BYTES + Math.ceil(COPIES * byteLength),
  });
  const keysByTarget = boundedCache<string>(MAX_TARGETS);
  const fly = singleFlight();

  function find(key: string, ms: number): Representation | undefined {
    const answer = held.get(key);
    return answer && isCurrent(answer, ms) ? answer : undefined;
  }

  /** Returns the key of a request target; undefined if its answer was never made. */
  function keyOf({ method, url }: Request): string | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const target = targetOf(url);
    return target === null ? undefined : keysByTarget.get(target);
  }

  /** Returns the cached answer of a request target; undefined if there is none. */
  function recall(request: Request): Response | undefined {
    const key = keyOf(request);
    if (key === undefined) return undefined;
    const ms = now().getTime();
    const answer = find(key, ms);
    // The route answers the error.
    if (answer === undefined || refusalOfVersion(request, answer)) {
      return undefined;
    }
    return respond(request, answer, ms);
  }

  /**
   * Returns the last answer of a request target with its `Age`; undefined if it is not
   * held, older than a day, of a person, or another version than the request allows.
   */
  function recallStale(request: Request): Response | undefined {
    const key = keyOf(request);
    const answer = key === undefined ? undefined : held.get(key);
    if (answer === undefined || answer.keep?.isPersonal) return undefined;
    const ms = now().getTime();
    const age = ageMs(answer, ms);
    if (age > STALE_IF_ERROR_MS || refusalOfVersion(request, answer)) {
      return undefined;
    }
    const response = respond(request, answer, ms);
    response.headers.set("Age", String(Math.floor(age / 1000)));
    response.headers.set("Cache-Control", "no-cache");
    return response;
  }

  /**
   * Answers from the cache, or makes the answer once for all concurrent
   * requests and caches it.
   */
  async function send(
    c: Context,
    query: unknown,
    make: MakeContent,
  ): Promise<Response> {
    const route = routePath(c);
    const key = JSON.stringify([route, paramsOf(c), query]);
    const target = targetOf(c.req.url);
    if (target !== null && target.length <= MAX_TARGET_CHARACTERS) {
      keysByTarget.set(target, key);
    }
    const client = networkOfClient(deps, c);
    const freshness = { maxStaleMs: maxStaleMs(c.req.raw), client };
    const answer = find(key, now().getTime()) ??
      await fly(`${freshness.maxStaleMs} ${key}`, async () => {
        const work = async () => {
          // The day may change while the content is made.
          const madeAt = now().getTime();
          const made = await represent(await make(freshness), madeAt);
          encode(c.req.raw, made);
          if (isCurrent(made, now().getTime())) held.set(key, made);
          return made;
        };
        return await (renders?.run(client, work, { route }) ?? work());
      }, client);
    const refusal = refusalOfVersion(c.req.raw, answer);
    if (refusal !== null) throw refusal;
    return respond(c.req.raw, answer, now().getTime());
  }

  return { recall, recallStale, send };
}

/** The response cache. */
export type ResponseCache = ReturnType<typeof responseCache>;

/** Returns the path parameters, validated if the route has a schema for them. */
function paramsOf(c: Context): unknown {
  return c.req.valid("param" as never) ?? c.req.param();
}

/**
 * Returns the request target of a URL: everything after the host. Null if the
 * host, which is client input, contains a character that would end it early.
 */
function targetOf(url: string): string | null {
  const start = url.indexOf("/", "https://".length);
  const mark = url.search(/[?#]/);
  return mark !== -1 && mark < start ? null : url.slice(start);
}
