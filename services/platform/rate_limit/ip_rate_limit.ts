/** Rate limits of requests without a key, by network: token buckets in memory, per process. */
import { boundedCache } from "../cache/bounded_cache.ts";
import { Fault } from "../fault.ts";
import { type Bucket, levelAt, waitForToken } from "./token_bucket.ts";
import { networkOf } from "./networks.ts";

/** Default requests per minute of one network. A burst may use all of them at once. */
export const OPEN_REQUESTS_PER_MINUTE = 6_000;

/** Time in which an empty bucket fills. */
const FILL_MS = 60_000;

/** Size of both caches. An evicted network starts with a full bucket again. */
const MAX_NETWORKS = 10_000;

/** What is limited: requests without a key, and requests with an invalid key. */
export type Counted = "requests" | "refusedKeys";

const WORDS: Readonly<Record<Counted, string>> = {
  requests: "requests outside the quota of a plan",
  refusedKeys: "requests with a key that is refused",
};

/** The tokens left at a time, epoch ms. */
interface Level {
  left: number;
  at: number;
}

type Levels = Readonly<Record<Counted, Level>>;

/** Makes a limiter with a bucket of `perMinute` tokens for each network. */
export function ipRateLimiter(perMinute: number) {
  const bucket: Bucket = { size: perMinute, fillMs: FILL_MS };
  const clients = boundedCache<Levels>(MAX_NETWORKS);
  const networks = boundedCache<string>(MAX_NETWORKS);

  /** Returns the network of an address. Parsing IPv6 is as slow as answering, so networks are cached. */
  function recallNetwork(hostname: string): string {
    if (!hostname.includes(":")) return hostname;
    const known = networks.get(hostname);
    if (known !== undefined) return known;
    const network = networkOf(hostname);
    networks.set(hostname, network);
    return network;
  }

  /** Returns the levels of the network of an address. */
  function levelsOf(hostname: string, now: number): Levels {
    const network = recallNetwork(hostname);
    const known = clients.get(network);
    if (known !== undefined) return known;
    const full = () => ({ left: perMinute, at: now });
    const levels = { requests: full(), refusedKeys: full() };
    clients.set(network, levels);
    return levels;
  }

  /** Refills a level up to `now` and returns it. After the clock was set back, refilling continues from the new time. */
  function settledLevel(
    hostname: string,
    counted: Counted,
    now: number,
  ): Level {
    const level = levelsOf(hostname, now)[counted];
    level.left = levelAt(bucket, level, now);
    level.at = now;
    return level;
  }

  return {
    /** Takes a token for an address. Returns 0, or the ms until there is one. */
    take(hostname: string, counted: Counted, now: number): number {
      const level = settledLevel(hostname, counted, now);
      const waitMs = waitForToken(bucket, level.left);
      if (waitMs === 0) level.left--;
      return waitMs;
    },

    /** Returns the ms until an address has a token; 0 if it has one. Takes none. */
    waitOf(hostname: string, counted: Counted, now: number): number {
      return waitForToken(bucket, settledLevel(hostname, counted, now).left);
    },

    /** Returns how many networks and addresses are cached. */
    sizes: () => ({ networks: clients.size, addresses: networks.size }),

    /** Returns the fault of a request beyond the limit. */
    refusal(hostname: string, counted: Counted, retryAfterMs: number): Fault {
      const words = WORDS[counted];
      return new Fault(
        `Rate limit of your network exceeded: expected at most ${perMinute} ${words} a minute`,
        {
          kind: "fairUse",
          of: counted,
          network: recallNetwork(hostname),
          most: perMinute,
          perSeconds: FILL_MS / 1000,
          retryAfterMs,
        },
      );
    },
  };
}
