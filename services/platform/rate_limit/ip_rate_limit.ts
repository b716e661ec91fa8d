/** Rate limits of requests without a key, by network: token buckets in memory, per process. */
import { boundedCache } from "../cache.ts";
import { MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { retryWords } from "../text.ts";
import { NETWORK_SIZES, networksOf } from "./networks.ts";

/** Default requests per minute of one network. A burst may use all of them at once. */
export const OPEN_REQUESTS_PER_MINUTE = 6_000;

/** Time in which an empty bucket fills. */
const FILL_MS = MINUTE_MS;

/**
 * Time in which an address that owes tokens has one again, so that others behind the
 * address wait no longer for what a flood has used.
 */
const MAX_DEBT_MS = 2_000;

/** Size of both caches. An evicted network starts with a full bucket again. */
const MAX_NETWORKS = 10_000;

/** What is limited: requests without a key, requests with a key that is not charged, and rendered pages and charts. */
type Counted = "requests" | "refusedKeys" | "renders";

const WORDS: Readonly<Record<Counted, string>> = {
  requests: "requests outside the quota of a plan",
  refusedKeys: "requests with a key that are refused or not charged",
  renders: "pages and charts that are not cached",
};

/** The tokens left at a time, epoch ms. */
interface Level {
  left: number;
  at: number;
}

type Levels = Readonly<Record<Counted, Level>>;

/** Makes a limiter with a bucket of `perMinute` tokens for each network, and more for each IPv6 /56 and /48. */
export function ipRateLimiter(perMinute: number) {
  /** The tokens of a full bucket, by the size of its network. */
  const sizes = NETWORK_SIZES.map((size) => size * perMinute);
  const clients = boundedCache<Levels>(MAX_NETWORKS);
  const networks = boundedCache<readonly string[]>(MAX_NETWORKS);

  /** Returns the networks of an address. Parsing IPv6 is as slow as answering, so they are cached. */
  function recallNetworks(hostname: string): readonly string[] {
    if (!hostname.includes(":")) return [hostname];
    const known = networks.get(hostname);
    if (known !== undefined) return known;
    const found = networksOf(hostname);
    networks.set(hostname, found);
    return found;
  }

  function levelsOf(network: string, size: number, now: number): Levels {
    const known = clients.get(network);
    if (known !== undefined) return known;
    const full = () => ({ left: size, at: now });
    const levels = {
      requests: full(),
      refusedKeys: full(),
      renders: full(),
    };
    clients.set(network, levels);
    return levels;
  }

  /**
   * Refills the levels of an address up to `now`, and returns that of each network.
   * After the clock was set back, refilling continues from the new time.
   */
  function refill(hostname: string, counted: Counted, now: number): Level[] {
    const settled: Level[] = [];
    for (const network of recallNetworks(hostname)) {
      const size = sizes[settled.length]!;
      const level = levelsOf(network, size, now)[counted];
      level.left = levelAt(size, level, now);
      level.at = now;
      settled.push(level);
    }
    return settled;
  }

  function waitFor(settled: readonly Level[]): number {
    return settled.reduce(
      (waitMs, { left }, nth) =>
        Math.max(waitMs, waitForToken(sizes[nth]!, left)),
      0,
    );
  }

  return {
    /** Takes a token for an address. Returns 0, or the ms until there is one. */
    take(hostname: string, counted: Counted, now: number): number {
      const settled = refill(hostname, counted, now);
      const waitMs = waitFor(settled);
      if (waitMs > 0) return waitMs;
      for (const level of settled) level.left--;
      return 0;
    },

    /**
     * Adds tokens to an address, up to a full bucket. A negative number takes them, even
     * if they are not there: an address owes at most what comes back in `MAX_DEBT_MS`.
     */
    add(hostname: string, counted: Counted, tokens: number, now: number): void {
      for (const [nth, level] of refill(hostname, counted, now).entries()) {
        const size = sizes[nth]!;
        const least = 1 - size * MAX_DEBT_MS / FILL_MS;
        level.left = Math.max(least, Math.min(size, level.left + tokens));
      }
    },

    /** Returns the ms until an address has a token; 0 if it has one. Takes none. */
    waitOf(hostname: string, counted: Counted, now: number): number {
      return waitFor(refill(hostname, counted, now));
    },

    /**
     * Returns what is left to an address, and the epoch ms at which all of it is there
     * again: of its network that has least. An unknown address has used nothing.
     */
    allowanceOf(
      hostname: string | null,
      counted: Counted,
      now: number,
    ): Allowance {
      const settled = hostname === null ? [] : refill(hostname, counted, now);
      return settled.map(({ left }, nth) => allowance(sizes[nth]!, left, now))
        .reduce(
          (least, one) => one.remaining < least.remaining ? one : least,
          allowance(perMinute, perMinute, now),
        );
    },

    /** Returns how many networks and addresses are cached. */
    sizes: () => ({ networks: clients.size, addresses: networks.size }),

    /** Returns the fault of a request beyond the limit. */
    refusal(hostname: string, counted: Counted, retryAfterMs: number): Fault {
      const words = WORDS[counted];
      return new Fault(
        `Rate limit of this network exceeded: expected at most ${perMinute} ${words} a minute; ${
          retryWords(retryAfterMs)
        }`,
        {
          kind: "ipRateLimit",
          of: counted,
          network: recallNetworks(hostname)[0]!,
          most: perMinute,
          perSeconds: FILL_MS / 1000,
          retryAfterMs,
        },
      );
    },
  };
}

/** What an address may do, what is left of it, and the epoch ms at which all is there again. */
interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

function allowance(size: number, left: number, now: number): Allowance {
  return {
    limit: size,
    remaining: Math.max(0, Math.floor(left)),
    resetAt: now + Math.ceil((size - left) * FILL_MS / size),
  };
}

/** Returns the tokens at `now` of a bucket of a size that held `left` tokens at `at`, both epoch ms. */
export function levelAt(
  size: number,
  { left, at }: Readonly<Level>,
  now: number,
): number {
  // A clock that was set back neither adds nor removes tokens.
  return Math.min(size, left + Math.max(0, now - at) * size / FILL_MS);
}

/** Returns the ms until a bucket of a size holds a token; 0 if it does. */
export function waitForToken(size: number, level: number): number {
  return Math.max(0, Math.ceil((1 - level) * FILL_MS / size));
}
