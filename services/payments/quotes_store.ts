/** What wallets were offered lately. */
import { DAY_MS } from "../platform/days.ts";
import type { Quote } from "./open_quotes.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { EXPIRE_MS } from "../platform/kv/expiry.ts";
import * as keys from "./keys.ts";

/** Quotes of a wallet that are kept at a time. */
export const MOST_QUOTES = 20;

/** How long a quote is known, much longer than its price is held. */
const KEPT_MS = 7 * DAY_MS;

/** Quotes in a store. */
export function quoteStore(kv: Deno.Kv) {
  return {
    /** Adds a quote to those of a wallet; the oldest make room. */
    async add(wallet: string, quote: Quote): Promise<void> {
      const key = keys.quotes(wallet);
      await checkAndSet<readonly Quote[], void>(kv, key, ({ value: held }) => {
        const kept = keep(held ?? [], quote.createdAt);
        const quotes = [...kept, quote].slice(-MOST_QUOTES);
        const expireIn = EXPIRE_MS.quotes!;
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, quotes, { expireIn }),
        };
      });
    },

    /** Lists the quotes of a wallet that are known at an instant, oldest first. */
    async list(wallet: string, now: number): Promise<readonly Quote[]> {
      const { value } = await kv.get<readonly Quote[]>(keys.quotes(wallet));
      return keep(value ?? [], now);
    },
  };
}

/** Leaves out what is too old. */
function keep(quotes: readonly Quote[], now: number): readonly Quote[] {
  return quotes.filter(({ createdAt }) => createdAt > now - KEPT_MS);
}
