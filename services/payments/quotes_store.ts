/** Recent quotes of wallets. */
import { DAY_MS } from "../platform/days.ts";
import type { Quote } from "./quotes.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";
import {
  ANY,
  areDistinct,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** Recent quotes of a wallet. */
  quotes: (wallet: string) => ["quotes", wallet],
};

/** How long the quotes of a wallet are kept after the newest. */
const EXPIRE_MS = 8 * DAY_MS;

/** Maximum number of quotes kept per wallet. */
export const MAX_QUOTES = 20;

/** How long a quote can be claimed. This is much longer than its price is valid. */
export const CLAIMABLE_MS = 7 * DAY_MS;

/** Store of quotes. */
export function quoteStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  return {
    /** Adds a quote to a wallet. Above the maximum, the oldest are dropped. */
    async add(wallet: string, quote: Quote): Promise<void> {
      const key = keys.quotes(wallet);
      await checkAndSet<readonly Quote[], void>(kv, key, ({ value: held }) => {
        // A commit whose answer was lost is decided again, and may be stored.
        const kept = dropOld(held ?? [], quote.createdAt)
          .filter(({ id }) => id !== quote.id);
        const quotes = [...kept, quote].slice(-MAX_QUOTES);
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, quotes, { expireIn: EXPIRE_MS }),
        };
      });
    },

    /** Lists the quotes of a wallet that can be claimed at an instant, oldest first. */
    async list(wallet: string, now: number): Promise<readonly Quote[]> {
      const { value } = await read<readonly Quote[]>(keys.quotes(wallet));
      return dropOld(value ?? [], now);
    },
  };
}

/** Store of quotes. */
export type QuoteStore = ReturnType<typeof quoteStore>;

/** Filters out quotes that are too old. */
function dropOld(quotes: readonly Quote[], now: number): readonly Quote[] {
  return quotes.filter(({ createdAt }) => createdAt > now - CLAIMABLE_MS);
}

const quotes: Rule<readonly Quote[]> = {
  name: "quotes",
  of: keys.quotes(ANY),
  invariant:
    `a wallet has at most ${MAX_QUOTES} distinct quotes, each with an expiry`,
  holds: ({ value }) =>
    value.length <= MAX_QUOTES && areDistinct(value.map(({ id }) => id)) &&
    value.every(({ createdAt, expiresAt }) => createdAt < expiresAt),
};

/** The collections and the rules. */
export const QUOTE_RECORDS: StoredRecords = {
  collections: {
    quotes: {
      expireMs: EXPIRE_MS,
      whenOutdated: {
        says: "wallets lost their open quotes, which may have been paid",
        change: () => undefined,
      },
    },
  },
  rules: [quotes],
};
