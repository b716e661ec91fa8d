/** What an address has sent, gathered from the explorer index within its window of records. */
import { z } from "zod";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { Fault } from "../platform/fault.ts";
import { etherscan, EXPLORER } from "../platform/http/etherscan_client.ts";
import type { Http } from "../platform/http/http_client.ts";
import { nameSource, type Sourced } from "../platform/http/source.ts";
import { Numeric, WholeNumber } from "../platform/http/numeric_schema.ts";

/** Wei of one AVAX. */
const WEI = 1e18;

/** Who a history is read for, and what is known of the address from elsewhere. */
export interface AccountCallOptions extends CallOptions {
  /**
   * May the address have sent anything? Asked only where the newest page holds
   * nothing of its own: saves the rest of the window for contracts in heavy use.
   */
  readonly hasSent?: () => Promise<boolean>;
}

/** What an address has sent; failed transactions count, since they paid gas. Epoch ms. */
export interface AccountHistory {
  /** Null where it has sent nothing; the oldest known where the first is out of reach. */
  readonly firstTxAt: number | null;
  /** Newest first. */
  readonly recentTxAt: readonly number[];
  /** As far as the index tells: one more than the newest transaction's. */
  readonly nonce: number;
  /**
   * Gas paid. Of a history longer than the window it is what the window shows:
   * less than was paid, never more.
   */
  readonly gasAvax: number;
  /** The first or the newest transactions were out of reach, or a page could not be read. */
  readonly isPartial: boolean;
}

/** A page of the list of an address's transactions, received ones included. */
export interface ListPage {
  readonly sort: "asc" | "desc";
  readonly page: number;
  /** Records on a page: the index serves up to 5,000, and 10,000 on all pages together. */
  readonly offset: number;
}

/** What a page holds. */
export interface OwnPage {
  readonly own: readonly OwnTx[];
  /** No record lies beyond it. */
  readonly isLast: boolean;
}

/** Newest transactions that are kept. */
const MOST_RECENT = 1000;

/** The whole window in pages that stay far below what is read of one answer. */
const NEWEST_PAGES: readonly ListPage[] = [1, 2, 3, 4]
  .map((page) => ({ sort: "desc", page, offset: 2500 }));

/** The first own transaction mostly follows the one that funded the address. */
const FIRST_PAGES: readonly ListPage[] = [
  { sort: "asc", page: 1, offset: 100 },
  { sort: "asc", page: 1, offset: 5000 },
  { sort: "asc", page: 2, offset: 5000 },
];

const Sender = z.looseObject({ from: z.string() });

const OwnTx = z.object({
  timeStamp: Numeric.pipe(z.int().max(2 ** 32 - 1)),
  nonce: Numeric.pipe(z.int()),
  gasUsed: WholeNumber,
  gasPrice: WholeNumber,
}).transform(({ timeStamp, nonce, gasUsed, gasPrice }) => ({
  at: timeStamp * 1000,
  nonce,
  paidWei: gasUsed * gasPrice,
}));
type OwnTx = z.infer<typeof OwnTx>;

/** Transaction histories of addresses, read from the explorer index at a base URL. */
export function explorerAccounts(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);
  const ask = etherscan(http, baseUrl);
  return {
    /** Base URL, as configured. */
    baseUrl,

    /**
     * Reads what an address has sent. A fault where the newest page cannot be
     * read; where another cannot, what was read, marked as partial.
     */
    async readAccount(
      address: string,
      { hasSent, ...options }: AccountCallOptions,
    ): Promise<Sourced<AccountHistory>> {
      let simulated = false;
      const body = await readHistory(async ({ sort, page, offset }) => {
        const params = {
          module: "account",
          action: "txlist",
          address,
          page: `${page}`,
          offset: `${offset}`,
          sort,
        };
        const answer = await ask(
          params,
          (rows) => pageOf(rows, { address, offset }),
          options,
        );
        simulated = answer.simulated;
        return answer.body;
      }, hasSent);
      return { body, source: nameSource(EXPLORER, { host, simulated }) };
    },
  };
}

/** The client of account histories. */
export type ExplorerAccounts = ReturnType<typeof explorerAccounts>;

/** Makes a page of its rows, of which only own ones are looked into. */
export function pageOf(
  rows: readonly unknown[],
  { address, offset }: { address: string; offset: number },
): OwnPage {
  const own = z.array(Sender).parse(rows)
    .filter(({ from }) => from.toLowerCase() === address)
    .map((row) => OwnTx.parse(row));
  return { own, isLast: rows.length < offset };
}

/**
 * Gathers a history page by page, the newest first. No block range is sent: the
 * customary end of 99,999,999 lies below the C-Chain's head since November 2026.
 */
export async function readHistory(
  readPage: (page: ListPage) => Promise<OwnPage>,
  hasSent: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<AccountHistory> {
  // By nonce, as records move between pages when new ones come in.
  const own = new Map<number, OwnTx>();

  async function take(page: ListPage): Promise<OwnPage> {
    const taken = await readPage(page);
    for (const tx of taken.own) own.set(tx.nonce, tx);
    return taken;
  }

  /** Reads the newest pages up to the first transaction; false where the window ends before. */
  async function reachesFirst(): Promise<boolean> {
    for (const page of NEWEST_PAGES.slice(1)) {
      if ((await take(page)).isLast || own.has(0)) return true;
    }
    return false;
  }

  /** Reads the oldest pages up to the first transaction. */
  async function findsFirst(): Promise<boolean> {
    for (const page of FIRST_PAGES) {
      const { own, isLast } = await take(page);
      if (own.length > 0 || isLast) return true;
    }
    return false;
  }

  const { isLast } = await take(NEWEST_PAGES[0]!);
  if (isLast || own.has(0)) return summarize(own, { isPartial: false });
  if (own.size === 0 && !await hasSent()) {
    return summarize(own, { isPartial: false });
  }
  try {
    if (await reachesFirst()) return summarize(own, { isPartial: false });
    const hasNewest = own.size >= MOST_RECENT;
    const hasFirst = await findsFirst();
    return summarize(own, { isPartial: !(hasNewest && hasFirst) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return summarize(own, { isPartial: true });
  }
}

function summarize(
  own: ReadonlyMap<number, OwnTx>,
  { isPartial }: { isPartial: boolean },
): AccountHistory {
  const txs = [...own.values()].sort((a, b) => b.nonce - a.nonce);
  const paidWei = txs.reduce((sum, tx) => sum + tx.paidWei, 0n);
  return {
    firstTxAt: txs.at(-1)?.at ?? null,
    recentTxAt: txs.slice(0, MOST_RECENT).map(({ at }) => at),
    nonce: (txs[0]?.nonce ?? -1) + 1,
    gasAvax: Number(paidWei) / WEI,
    isPartial,
  };
}
