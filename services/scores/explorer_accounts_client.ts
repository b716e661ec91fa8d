/** Client of account histories: the sent transactions within the explorer index's window of records. */
import { z } from "zod";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { Fault } from "../platform/fault.ts";
import { etherscan, EXPLORER } from "../platform/http/etherscan_client.ts";
import type { Http } from "../platform/http/http_client.ts";
import { nameSource, type Sourced } from "../platform/http/source.ts";
import { Numeric, WholeNumber } from "../platform/http/numeric_schema.ts";

/** Wei of one AVAX. */
const WEI = 1e18;

/** Options of a history read. */
export interface AccountCallOptions extends CallOptions {
  /**
   * Returns whether the address may have sent anything. Called only if the newest
   * page has no own transaction: saves the other pages for busy contracts.
   */
  readonly hasSent?: () => Promise<boolean>;
}

/** Sent transactions of an address, failed ones included, since they paid gas. Times in epoch ms. */
export interface AccountHistory {
  /** Null if it has sent nothing; the oldest known one if the first is outside the window. */
  readonly firstTxAt: number | null;
  /** Newest first. */
  readonly recentTxAt: readonly number[];
  /** One more than the nonce of the newest indexed transaction. */
  readonly nonce: number;
  /**
   * Gas paid within the window: for a longer history, less than was paid in total.
   */
  readonly gasAvax: number;
  /** True if the first or newest transactions are outside the window, or a page failed. */
  readonly isPartial: boolean;
}

/** A page of an address's transactions, received ones included. */
interface ListPage {
  readonly sort: "asc" | "desc";
  readonly page: number;
  /** Records per page. The index serves up to 5,000, and 10,000 on all pages together. */
  readonly offset: number;
}

/** The own transactions of a page. */
interface OwnPage {
  readonly own: readonly OwnTx[];
  /** True if there are no further records. */
  readonly isLast: boolean;
}

/** Maximum number of returned times. */
const MAX_RECENT = 1000;

/** The whole window, in pages well below the size limit of an answer. */
const NEWEST_PAGES: readonly ListPage[] = [1, 2, 3, 4]
  .map((page) => ({ sort: "desc", page, offset: 2500 }));

/** The first own transaction usually follows the one that funded the address. */
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

/** Creates the client of the explorer index at a base URL. */
export function explorerAccounts(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);
  const ask = etherscan(http, baseUrl);
  return {
    /** Base URL, as configured. */
    baseUrl,

    /**
     * Reads the sent transactions of an address. Throws a fault if the newest page
     * fails; if another one does, returns the rest, marked as partial.
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

/** Parses a page; only own transactions are validated. */
function pageOf(
  rows: readonly unknown[],
  { address, offset }: { address: string; offset: number },
): OwnPage {
  const own = z.array(Sender).parse(rows)
    .filter(({ from }) => from.toLowerCase() === address)
    .map((row) => OwnTx.parse(row));
  return { own, isLast: rows.length < offset };
}

/**
 * Reads a history page by page, newest first. No block range is sent: the usual
 * end of 99,999,999 is below the C-Chain's head since November 2026.
 */
async function readHistory(
  readPage: (page: ListPage) => Promise<OwnPage>,
  hasSent: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<AccountHistory> {
  // By nonce: records move between pages when new ones arrive.
  const own = new Map<number, OwnTx>();

  async function take(page: ListPage): Promise<OwnPage> {
    const taken = await readPage(page);
    for (const tx of taken.own) own.set(tx.nonce, tx);
    return taken;
  }

  /** Reads the newest pages up to the first transaction; false if the window ends earlier. */
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
    const hasNewest = own.size >= MAX_RECENT;
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
    recentTxAt: txs.slice(0, MAX_RECENT).map(({ at }) => at),
    nonce: (txs[0]?.nonce ?? -1) + 1,
    gasAvax: Number(paidWei) / WEI,
    isPartial,
  };
}
