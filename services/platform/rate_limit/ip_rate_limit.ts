/** How much one client may ask of what is open to everybody: per process, and in memory alone. */
import { boundedCache } from "../cache/bounded_cache.ts";
import { Fault } from "../fault.ts";
import { type Bucket, levelAt, waitForToken } from "./token_bucket.ts";
import { networkOf } from "./networks.ts";

/** In this time an empty bucket fills. */
const FILL_MS = 60_000;

/** Networks that are remembered, and addresses of them: whoever asked longest ago is forgotten, and has a full bucket again. */
export const MOST_NETWORKS = 10_000;

/** What is counted: requests of the open surface, and keys that were refused. */
export type Counted = "requests" | "refusedKeys";

const WORDS: Readonly<Record<Counted, string>> = {
  requests: "requests outside the quota of a plan",
  refusedKeys: "requests with a key that is refused",
};

/** The tokens that were left at an instant, epoch ms. */
interface Level {
  left: number;
  at: number;
}

type Levels = Readonly<Record<Counted, Level>>;

/** Counts requests of clients, each of which may make so many at once, and as many again in a minute. */
export function ipRateLimiter(perMinute: number) {
  const bucket: Bucket = { size: perMinute, fillMs: FILL_MS };
  const clients = boundedCache<Levels>(MOST_NETWORKS);
  const networks = boundedCache<string>(MOST_NETWORKS);

  /** Returns the network of an address; to work that of an IPv6 address out costs as much as to answer. */
  function recallNetwork(hostname: string): string {
    if (!hostname.includes(":")) return hostname;
    const known = networks.get(hostname);
    if (known !== undefined) return known;
    const network = networkOf(hostname);
    networks.set(hostname, network);
    return network;
  }

  /** Returns the levels of an address, by its network. */
  function levelsOf(hostname: string, now: number): Levels {
    const network = recallNetwork(hostname);
    const known = clients.get(network);
    if (known !== undefined) return known;
    const full = () => ({ left: perMinute, at: now });
    const levels = { requests: full(), refusedKeys: full() };
    clients.set(network, levels);
    return levels;
  }

  /** Returns the level of an address with what has come in by now; from here a clock that was set back counts on. */
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
    /** Counts one for an address if there is one left: returns 0, else the ms until there is. */
    take(hostname: string, counted: Counted, now: number): number {
      const level = settledLevel(hostname, counted, now);
      const waitMs = waitForToken(bucket, level.left);
      if (waitMs === 0) level.left--;
      return waitMs;
    },

    /** Returns the ms until an address has one left; 0 where it has. Counts nothing. */
    waitOf(hostname: string, counted: Counted, now: number): number {
      return waitForToken(bucket, settledLevel(hostname, counted, now).left);
    },

    /** Returns how many networks are remembered, and of how many addresses. */
    sizes: () => ({ networks: clients.size, addresses: networks.size }),

    /** Returns the fault of who has to wait. */
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
