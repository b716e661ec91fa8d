/** Client of account histories: the sent transactions within the explorer index's window of records. */
import { z } from "zod";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import {
  type CallsUsedUp,
  callsUsedUp,
  Fault,
  isPause,
  isUsedUp,
  refusedClient,
} from "../../platform/fault.ts";
import { etherscan, EXPLORER } from "../../platform/http/etherscan_client.ts";
import type { Http } from "../../platform/http/http_client.ts";
import {
  judgeRows,
  nameSource,
  type Sourced,
} from "../../platform/http/upstream_answer.ts";
import {
  type AccountHistory,
  MAX_RECENT,
  type OwnTx,
  type Receipt,
  summarize,
} from "./account_history.ts";
import { Numeric, WholeNumber } from "../../platform/http/numeric_schema.ts";
import { maxOf, minOf } from "../../platform/numbers.ts";

/** The selector of the called method: the first four bytes of the input. */
const METHOD = /^0x[0-9a-f]{8}/i;

/** Options of a history read. */
export interface AccountCallOptions extends CallOptions {
  /**
   * Returns how many transactions the address has sent; null if unknown. Called
   * only if the newest page does not show the whole history.
   */
  readonly countSent?: () => Promise<number | null>;
}

/** The own transactions of a page, and what the address received. */
interface OwnPage {
  readonly own: readonly OwnTx[];
  readonly received: readonly Receipt[];
  /** True if there are no further records. */
  readonly isLast: boolean;
  /** Why rows could not be read. */
  readonly unread: readonly string[];
}

/** The fields that evidence is read from. A history without them is still readable. */
const Details = z.object({
  to: z.string().catch("").transform((to) => to.toLowerCase()),
  value: WholeNumber.catch(0n),
  input: z.string().catch("0x"),
  isError: z.string().catch("0"),
});

const ReceivedRow = Details.extend({
  from: z.string(),
  timeStamp: Numeric.catch(0),
}).transform(({ from, timeStamp, value, isError }) => ({
  from: from.toLowerCase(),
  at: timeStamp * 1000,
  value: isError === "1" ? 0n : value,
}));

const Sender = z.object({ from: z.string() });

const OwnRow = Details.extend({
  timeStamp: Numeric.pipe(z.int().max(2 ** 32 - 1)),
  nonce: Numeric.pipe(z.int()),
  gasUsed: WholeNumber,
  gasPrice: WholeNumber,
}).transform(({ timeStamp, nonce, gasUsed, gasPrice, ...details }) => ({
  at: timeStamp * 1000,
  nonce,
  gasUnits: Number(gasUsed),
  paidWei: gasUsed * gasPrice,
  to: details.to,
  method: METHOD.exec(details.input)?.[0].toLowerCase() ?? "",
  value: details.value,
  failed: details.isError === "1",
}));

/** Creates the client of the explorer index at a base URL. */
export function explorerAccounts(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);
  const ask = etherscan(http, baseUrl);
  return {
    /** Base URL, as configured. */
    baseUrl,

    /** Waits for the turn of a read, and returns the options of its calls. */
    start: (options: CallOptions): Promise<CallOptions> =>
      http.rateLimiter.start(options),

    /** Reads the limit, so that the estimate of a wait goes by it. */
    prepare: (
      options: Pick<CallOptions, "priority" | "requester">,
    ): Promise<void> => http.rateLimiter.prepare(options),

    /** Estimates the wait for a turn, ms. */
    waitMs: (
      options: Pick<CallOptions, "priority" | "requester" | "subject">,
    ): number => http.rateLimiter.waitMs(options),

    /** Returns whether a read had its turn here. */
    hasStarted: ({ reserved }: CallOptions): boolean =>
      reserved?.budget === http.rateLimiter.name,

    /**
     * Reads the sent transactions of an address. Throws a fault if the newest page
     * fails; if another one does, returns the rest, marked as partial.
     */
    async readAccount(
      address: string,
      { countSent, ...options }: AccountCallOptions,
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
      }, countSent);
      return { body, source: nameSource(EXPLORER, { host, simulated }) };
    },
  };
}

/** The client of account histories. */
export type ExplorerAccounts = ReturnType<typeof explorerAccounts>;

/**
 * Returns one client of several indexes. A read begins where the wait is shortest,
 * and elsewhere if the calls there are gone; a failed one is made again elsewhere.
 */
export function withMostLeft(
  indexes: readonly ExplorerAccounts[],
): ExplorerAccounts {
  if (indexes.length === 1) return indexes[0]!;
  return {
    ...indexes[0]!,
    async prepare(options) {
      await Promise.all(indexes.map((index) => index.prepare(options)));
    },
    waitMs: (options) => minOf(indexes.map(({ waitMs }) => waitMs(options))),
    start(options) {
      const nearest = indexes
        .map((index) => ({ index, waitMs: index.waitMs(options) }))
        // One may be known not to have the address.
        .filter(({ waitMs }) => waitMs < Infinity)
        .sort((a, b) => a.waitMs - b.waitMs)
        .map(({ index }) => index);
      return inOrder(
        nearest,
        (index) => index.start(options),
        (fault) => fault.failure.kind === "capacitySpent" || isPause(fault),
      );
    },
    readAccount(address, options) {
      const started = [...indexes].sort((a, b) =>
        Number(b.hasStarted(options)) - Number(a.hasStarted(options))
      );
      return inOrder(
        started,
        (index) => index.readAccount(address, options),
        (fault) => refusedClient(fault) === undefined,
      );
    },
  };
}

/**
 * Asks indexes one after the other while a fault may be of one index only; throws the
 * last. Where the calls of one are used up, a pause of another is no failure: calls are
 * left again when the first of them has some, in whichever order they were asked.
 */
async function inOrder<T>(
  indexes: readonly ExplorerAccounts[],
  ask: (index: ExplorerAccounts) => Promise<T>,
  mayContinue: (fault: Fault) => boolean,
): Promise<T> {
  let usedUp: CallsUsedUp | undefined;
  let soonestMs = Infinity;
  for (const index of indexes.slice(0, -1)) {
    try {
      return await ask(index);
    } catch (error) {
      if (!(error instanceof Fault) || !mayContinue(error)) throw error;
      if (isUsedUp(error.failure)) usedUp = error.failure;
      soonestMs = Math.min(soonestMs, waitAfter(error));
    }
  }
  try {
    return await ask(indexes.at(-1)!);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.failure.kind === "capacitySpent") usedUp = error.failure;
    else if (usedUp === undefined || !isPause(error)) throw error;
    const retryAfterMs = Math.min(soonestMs, waitAfter(error));
    throw callsUsedUp(usedUp.kind, { ...usedUp, retryAfterMs });
  }
}

/** Returns when an index may be asked again, ms; Infinity after a failure. */
function waitAfter(fault: Fault): number {
  if (isPause(fault)) return fault.failure.retryAfterMs;
  return isUsedUp(fault.failure) ? fault.failure.retryAfterMs : Infinity;
}

/** Parses a page. Of received transactions only evidence is read. */
function pageOf(
  rows: readonly unknown[],
  { address, offset }: { address: string; offset: number },
): OwnPage {
  const isOwn = (row: unknown) =>
    Sender.parse(row).from.toLowerCase() === address;
  const { rows: txs, setAside } = judgeRows(rows, {
    parse: (row) =>
      isOwn(row)
        ? { own: OwnRow.parse(row) }
        : { received: ReceivedRow.parse(row) },
    idOf: (row) => TxHash.safeParse(row).data?.hash ?? null,
  });
  return {
    own: txs.flatMap(({ own = [] }) => own),
    received: txs.flatMap(({ received = [] }) => received),
    isLast: rows.length < offset,
    unread: setAside.map(({ reason }) => reason),
  };
}

const TxHash = z.object({ hash: z.string() });

/**
 * Reads a history page by page. No block range is sent: the usual end of
 * 99,999,999 is below the C-Chain's head since November 2026.
 */
async function readHistory(
  readPage: (page: ListPage) => Promise<OwnPage>,
  countSent: () => Promise<number | null> = () => Promise.resolve(null),
): Promise<AccountHistory> {
  // By nonce: records move between pages when new ones arrive.
  const own = new Map<number, OwnTx>();
  let received: readonly Receipt[] = [];
  let read: PagesRead = {
    newest: { pages: 0, nonces: new Set() },
    oldest: { pages: 0, nonces: new Set() },
    reachedEnd: false,
  };
  let sent: number | null = null;
  const unread: string[] = [];
  try {
    for (
      let pages = nextPages(read, sent);
      pages.length > 0;
      pages = nextPages(read, sent)
    ) {
      const reading = await Promise.allSettled(pages.map(readPage));
      for (const [nth, result] of reading.entries()) {
        if (result.status === "rejected") throw result.reason;
        const [page, taken] = [pages[nth]!, result.value];
        for (const tx of taken.own) own.set(tx.nonce, tx);
        for (const reason of taken.unread) unread.push(reason);
        // Only the oldest records show the first sender.
        const isOldest = page.sort === "asc" ? page.page === 1 : taken.isLast;
        if (isOldest) received = taken.received;
        read = withPage(read, page, taken);
      }
      if (sent === null && !isSufficient(read, sent)) sent = await countSent();
    }
  } catch (error) {
    const isDown = error instanceof Fault && refusedClient(error) === undefined;
    if (!isDown || read.newest.pages === 0) throw error;
    return summarize(own, { received, unread, isPartial: true });
  }
  const isPartial = !isSufficient(read, sent);
  return summarize(own, { received, unread, isPartial });
}

function withPage(
  read: PagesRead,
  { sort }: ListPage,
  { own, isLast }: OwnPage,
): PagesRead {
  const end = sort === "desc" ? "newest" : "oldest";
  const { pages, nonces } = read[end];
  return {
    ...read,
    [end]: {
      pages: pages + 1,
      nonces: nonces.union(new Set(own.map(({ nonce }) => nonce))),
    },
    reachedEnd: read.reachedEnd || isLast,
  };
}

/** A page of an address's transactions, received ones included. */
interface ListPage {
  readonly sort: "asc" | "desc";
  readonly page: number;
  /** Records per page. The index serves up to 5,000, and 10,000 on all pages together. */
  readonly offset: number;
}

/** Calls for a history that does not fit one page. */
const USUAL_CALLS = 3;

/** Pages of 2,500 records stay well below the size limit of an answer. */
const NEWEST_PAGES: readonly ListPage[] = [1, 2, 3, 4]
  .map((page) => ({ sort: "desc", page, offset: 2500 }));

const OLDEST_PAGES: readonly ListPage[] = [
  { sort: "asc", page: 1, offset: 2500 },
  { sort: "asc", page: 2, offset: 2500 },
  { sort: "asc", page: 2, offset: 5000 },
];

/** The nonces of the own transactions on the pages that were read. */
interface PagesRead {
  readonly newest: { readonly pages: number; readonly nonces: Set<number> };
  readonly oldest: { readonly pages: number; readonly nonces: Set<number> };
  /** True if a page had fewer records than were asked for, so there are no others. */
  readonly reachedEnd: boolean;
}

/** Returns whether all own transactions are known, given how many were sent; null if unknown. */
function hasAll(
  { newest, oldest, reachedEnd }: PagesRead,
  sent: number | null,
): boolean {
  if (reachedEnd || newest.nonces.has(0)) return true;
  if (newest.nonces.union(oldest.nonces).size >= (sent ?? Infinity)) {
    return true;
  }
  // The newest pages follow the oldest ones without a gap.
  return newest.nonces.size > 0 && oldest.nonces.size > 0 &&
    minOf(newest.nonces) <= maxOf(oldest.nonces) + 1;
}

/** Returns whether the first transaction and the newest ones are known. */
function isSufficient(read: PagesRead, sent: number | null): boolean {
  return hasAll(read, sent) || hasFirst(read) && hasRecent(read);
}

/**
 * Returns the pages to read next: both further ones of a history that one of them cannot
 * complete, at once.
 */
function nextPages(read: PagesRead, sent: number | null): ListPage[] {
  const page = nextPage(read, sent);
  if (page === null) return [];
  const { newest: { nonces }, oldest } = read;
  const isSecond = nonces.size > 0 && oldest.pages === 0;
  return isSecond && sent !== null && sent - nonces.size > page.offset
    ? [page, NEWEST_PAGES[1]!]
    : [page];
}

/**
 * Returns the page to read next; null if the history is complete, or enough was
 * read: three pages, and more only while the number of sent transactions shows
 * that the first or the newest ones are still missing.
 */
function nextPage(
  read: PagesRead,
  sent: number | null,
): ListPage | null {
  const { newest, oldest } = read;
  if (newest.pages === 0) return NEWEST_PAGES[0]!;
  if (hasAll(read, sent)) return null;
  if (oldest.pages === 0) return OLDEST_PAGES[0]!;
  const older = OLDEST_PAGES[oldest.pages] ?? null;
  const newer = NEWEST_PAGES[newest.pages] ?? null;
  if (newest.pages + oldest.pages < USUAL_CALLS) {
    return hasFirst(read) ? newer : older;
  }
  if (sent === null) return null;
  if (!hasFirst(read) && older !== null) return older;
  return hasRecent(read) ? null : newer;
}

/** The first own transaction on the oldest pages is the first of all. */
function hasFirst({ oldest }: PagesRead): boolean {
  return oldest.nonces.size > 0;
}

function hasRecent({ newest }: PagesRead): boolean {
  return newest.nonces.size >= MAX_RECENT;
}
