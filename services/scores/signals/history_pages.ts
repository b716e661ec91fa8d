/** Which pages of an address's transaction list are read, and when its history is complete. */

/** A page of an address's transactions, received ones included. */
export interface ListPage {
  readonly sort: "asc" | "desc";
  readonly page: number;
  /** Records per page. The index serves up to 5,000, and 10,000 on all pages together. */
  readonly offset: number;
}

/** Number of newest transactions whose times count. */
export const MAX_RECENT = 1000;

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
export interface PagesRead {
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
    Math.min(...newest.nonces) <= Math.max(...oldest.nonces) + 1;
}

/** Returns whether the first transaction and the newest ones are known. */
export function isSufficient(read: PagesRead, sent: number | null): boolean {
  return hasAll(read, sent) || hasFirst(read) && hasRecent(read);
}

/**
 * Returns the page to read next; null if the history is complete, or enough was
 * read: three pages, and more only while the number of sent transactions shows
 * that the first or the newest ones are still missing.
 */
export function nextPage(
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
