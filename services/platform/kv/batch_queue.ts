/** Queue of changes that are committed in batches; batches that run at once never share a record. */
import { MAX_CHECKS } from "./commit.ts";

/** Batches that run at once unless more are asked for: one is written while the callers of the other continue. */
const CONCURRENCY = 2;

/** Notifies the callers of a batch. */
export type Notify = () => void;

/** A version of a record that a transaction checks once, whatever number of items need it. */
export interface Precondition {
  readonly id: string;
  /** About how many bytes the check takes. */
  readonly bytes: number;
}

/** The records that an item depends on. */
export interface Batchable {
  /** Records that it writes. */
  readonly writes: readonly string[];
  /** Further records that it checks. */
  readonly preconditions?: readonly Precondition[];
  /** About how many bytes its writes take in a transaction; infinity by default. */
  readonly bytes?: number;
}

/** How items are batched. */
interface Batching<Item extends Batchable> {
  /** Batches that run at once; 2 by default. */
  readonly concurrency?: number;
  /** Returns the maximum number of items of a batch, given how many wait or run. */
  readonly sizeLimit: (pending: number) => number;
  /** Returns the maximum number of records that a batch writes, given how many items wait or run; unlimited by default. */
  readonly recordLimit?: (pending: number) => number;
  /** Up to this many bytes, a batch may exceed `recordLimit`; 0 by default. */
  readonly maxBytes?: number;
  /** Commits a batch. Must not throw. */
  readonly commit: (batch: readonly Item[]) => Promise<Notify>;
}

/** Returns the bytes that an item adds to a transaction with these records. */
function bytesBeside(
  records: ReadonlySet<string>,
  { bytes = Infinity, preconditions = [] }: Batchable,
): number {
  let added = bytes;
  for (const { id, bytes } of preconditions) {
    if (!records.has(id)) added += bytes;
  }
  return added;
}

/**
 * Makes a queue. Items that write the same record run one after the other, in the
 * order they were added, unless an earlier one does not fit into a batch any more.
 */
export function batchQueue<Item extends Batchable>(
  {
    concurrency = CONCURRENCY,
    sizeLimit,
    recordLimit = () => Infinity,
    maxBytes = 0,
    commit,
  }: Batching<Item>,
) {
  let waiting: Item[] = [];
  /** Records that running batches write. */
  const busy = new Set<string>();
  let running = 0;
  /** Workers that will look for waiting items again. */
  let looking = 0;

  const isBusy = ({ writes }: Item) => writes.some((id) => busy.has(id));

  /** Adds an item. Then commits batch after batch until no free item waits, if more may run at once. */
  async function add(item: Item): Promise<void> {
    waiting.push(item);
    if (looking >= concurrency || isBusy(item)) return;
    looking++;
    // Items that are added before the end of this turn join the batch.
    await new Promise((resolve) => setImmediate(resolve));
    let notify: Notify = () => {};
    let batch: Item[] = [];
    for (;;) {
      // The last batch is pending too: its callers may add as many items again.
      const pending = waiting.length + running;
      running -= batch.length;
      const limit = sizeLimit(pending);
      const mostWritten = recordLimit(pending);
      const left: Item[] = [];
      const written = new Set<string>();
      const records = new Set<string>();
      let isFull = false;
      let total = 0;
      batch = [];
      for (const item of waiting) {
        const { writes, preconditions = [] } = item;
        const longer = total + bytesBeside(records, item);
        const isOneTooMany = written.size >= mostWritten &&
          longer > maxBytes && writes.some((id) => !written.has(id));
        if (isFull || isOneTooMany || isBusy(item)) {
          left.push(item);
          continue;
        }
        for (const id of writes) records.add(id);
        for (const { id } of preconditions) records.add(id);
        isFull = batch.length === limit ||
          batch.length > 0 && records.size > MAX_CHECKS;
        (isFull ? left : batch).push(item);
        if (isFull) continue;
        total = longer;
        for (const id of writes) written.add(id);
      }
      waiting = left;
      if (batch.length === 0) break;
      running += batch.length;
      for (const id of written) busy.add(id);
      const committing = commit(batch);
      // Callers of the previous batch continue while the database is busy.
      notify();
      notify = await committing;
      for (const id of written) busy.delete(id);
    }
    // Before its callers continue: what they add now needs another worker.
    looking--;
    notify();
  }

  return { add };
}
