/**
 * Batches concurrent changes into shared transactions; batches that run at once never
 * share a record.
 */
import {
  commitMarks,
  CommitOutcomeUnknown,
  type CommitTrace,
  findOutcome,
  type Marked,
  MAX_ATTEMPTS,
  MAX_CHECKS,
  pauseAfterConflict,
  type Writing,
} from "./commit.ts";
import { boundedCache } from "../cache.ts";
import type { ReadKey, Version } from "./reads.ts";

/** Batches that run at once unless more are asked for: one is written while the callers of the other continue. */
const CONCURRENCY = 2;

/** Notifies the callers of a batch. */
type Notify = () => void;

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

/** A batch of this size is not split: a transaction costs as much as writing a dozen records. */
const SMALLEST_BATCH = 12;

/**
 * Transactions that run at once. A local database writes one after the other. On a
 * hosted database, a change that waited for other transactions would wait for the
 * network twice.
 */
const LOCAL_CONCURRENCY = 2;
const HOSTED_CONCURRENCY = 64;

/**
 * Bytes that records of one hosted transaction may take together, until all
 * transactions run: Deno's client sends a request of 1,024 bytes or more in two
 * parts, and the second part waits for the acknowledgement of the first.
 */
const MAX_HOSTED_BYTES = 1_023;

/** Bytes of a record in a transaction besides its value and its key, which is written twice. */
const RECORD_BYTES = 44;

/** Bytes by which a change may make a record longer: a step of a log, and the start of a counter. */
const GROWTH_BYTES = 12;

/** Records that are cached after a commit, unless another number is asked for. */
const MAX_CACHED = 5_000;

/**
 * The outcome of a change. `contended`: other processes kept changing the record.
 * `outdated`: a precondition no longer holds. Neither wrote anything.
 */
type WriteOutcome = "committed" | "contended" | "outdated";

/** A change of a record. */
interface Change<T> {
  /** Its parts contain no slash. */
  readonly key: readonly string[];
  /** Versions of other records that must be unchanged at the commit. */
  readonly preconditions: readonly Version[];
  /** Returns the new value. Called again after a conflict; must not mutate its argument. */
  readonly decide: (held: T) => T;
}

/** How the records of a collection are stored. */
interface RecordOptions<Stored extends Marked, T> {
  readonly expireIn: number;
  /** Whether each transaction takes as long as the network; false by default. */
  readonly isHosted?: boolean;
  /** Records that are cached after a commit; 5,000 by default. */
  readonly maxCached?: number;
  /** Decodes a stored value, null if there is none. */
  readonly decode: (stored: Stored | null) => T;
  /** Encodes a value; the record has to store the marks. */
  readonly encode: (value: T, marks: readonly number[]) => Stored;
  /**
   * Returns about how many bytes a stored value takes. Without it, a hosted
   * transaction writes one record, until all transactions run.
   */
  readonly sizeOf?: (stored: Stored) => number;
}

/** A change that waits for its transaction. */
interface Waiting<T> extends Change<T>, Batchable {
  readonly preconditions: readonly Version[];
  readonly bytes: number;
  readonly id: string;
  readonly settle: (outcome: WriteOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** A record as last read or written. */
interface Held<T> {
  readonly version: Deno.AtomicCheck;
  readonly held: T;
  readonly marks: readonly number[];
}

/** A record that this process wrote last. */
interface Cached<T> extends Held<T> {
  /** About how many bytes its stored value takes; infinity if unknown. */
  readonly size: number;
}

/** A record in a transaction. */
interface Slot<T> extends Held<T> {
  /** From the cache: another process may have changed it. */
  readonly isCached: boolean;
  /** The new value. */
  value: T;
}

/** A record that a transaction writes. */
interface Changed<Stored extends Marked, T> extends Writing<Stored> {
  readonly id: string;
  /** The marks before the transaction. */
  readonly before: readonly number[];
  readonly held: T;
}

/**
 * Makes a function that changes records. Changes that arrive while transactions
 * run are committed together; each is decided on its own, in order of arrival
 * per record. Records that this process wrote last come from a cache, which the
 * checks of the commit verify.
 */
export function batchedWrites<Stored extends Marked, T>(
  kv: Deno.Kv,
  read: ReadKey,
  { expireIn, isHosted = false, maxCached = MAX_CACHED, ...form }:
    RecordOptions<Stored, T>,
) {
  const { decode, encode, sizeOf = () => Infinity } = form;
  const cache = boundedCache<Cached<T>>(maxCached);
  const { withMark, keep } = commitMarks();
  const queue = batchQueue<Waiting<T>>({
    ...isHosted
      ? {
        concurrency: HOSTED_CONCURRENCY,
        sizeLimit: () => Infinity,
        recordLimit: (pending) => Math.ceil(pending / HOSTED_CONCURRENCY),
        maxBytes: MAX_HOSTED_BYTES,
      }
      : {
        concurrency: LOCAL_CONCURRENCY,
        // Half of all changes: the callers of the other half are answered meanwhile.
        sizeLimit: (pending) =>
          Math.max(SMALLEST_BATCH, Math.ceil(pending / 2)),
      },
    commit: commitBatch,
  });

  /** Decides and commits a batch, again after a conflict. Returns the function that notifies the callers. */
  async function commitBatch(batch: readonly Waiting<T>[]): Promise<Notify> {
    let left = batch;
    const settleAll = (outcome: WriteOutcome) => () =>
      left.forEach(({ settle }) => settle(outcome));
    /** The traces of a commit of unknown outcome, by record. */
    const traces = new Map<string, CommitTrace>();
    try {
      for (let nth = 0; nth < MAX_ATTEMPTS; nth++) {
        const slots = await decideAll(left);
        const changed: Changed<Stored, T>[] = [];
        const atomic = kv.atomic();
        for (const check of listPreconditions(left)) atomic.check(check);
        for (const [id, { version, held, marks, value }] of slots) {
          if (value === held) continue;
          const stored = encode(value, withMark(marks));
          atomic.check(version).set(version.key, stored, { expireIn });
          changed.push({ id, version, before: marks, stored, held: value });
        }
        if (changed.length === 0) return settleAll("committed");
        const result = await atomic.commit()
          .catch((error: unknown) => ({ ok: false, error }) as const);
        for (const { id, version: { key }, held, stored } of changed) {
          if (result.ok) {
            const version = { key, versionstamp: result.versionstamp };
            const size = isHosted ? sizeOf(stored) : Infinity;
            cache.set(id, { version, held, marks: stored.marks, size });
          } else cache.delete(id);
        }
        if (result.ok || await recover(changed, result, traces)) {
          return settleAll("committed");
        }
        left = await dropOutdated(read, left);
        if (left.length === 0) return settleAll("committed");
        await pauseAfterConflict(nth);
      }
      return settleAll("contended");
    } catch (error) {
      return () =>
        left.forEach(({ fail, id }) =>
          fail(
            error instanceof CommitOutcomeUnknown
              ? new CommitOutcomeUnknown(error.cause, traces.get(id) ?? null)
              : error,
          )
        );
    }
  }

  /**
   * Decides changes in order, each by its record in the cache or in the store. A record
   * of the cache is read before a change of it is refused.
   */
  async function decideAll(
    changes: readonly Waiting<T>[],
  ): Promise<ReadonlyMap<string, Slot<T>>> {
    for (;;) {
      const slots = new Map<string, Slot<T>>();
      const absent = new Map<string, readonly string[]>();
      for (const { id, key } of changes) {
        const found = cache.get(id);
        if (found === undefined) absent.set(id, key);
        else slots.set(id, { ...found, isCached: true, value: found.held });
      }
      await Promise.all(Array.from(absent, async ([id, key]) => {
        const found = heldOf(await read<Stored>(key));
        slots.set(id, { ...found, isCached: false, value: found.held });
      }));
      let isDoubtful = false;
      for (const { id, decide } of changes) {
        const slot = slots.get(id)!;
        const before = slot.value;
        slot.value = decide(before);
        if (slot.value !== before || !slot.isCached) continue;
        cache.delete(id);
        isDoubtful = true;
      }
      if (!isDoubtful) return slots;
    }
  }

  /**
   * Returns whether a commit that conflicted or whose response was lost was made, and
   * caches the records that were read for it. Throws `CommitOutcomeUnknown`, and notes
   * the traces, if it cannot be known now.
   */
  async function recover(
    changed: readonly Changed<Stored, T>[],
    failed: Parameters<typeof findOutcome>[2],
    traces: Map<string, CommitTrace>,
  ): Promise<boolean> {
    const { isWritten, found } = await findOutcome(kv, changed, failed)
      .catch((error) => {
        if (!(error instanceof CommitOutcomeUnknown)) throw error;
        for (const { id, before, stored } of changed) {
          const mark = stored.marks.at(-1)!;
          keep(mark);
          traces.set(id, { mark, before });
        }
        throw error;
      });
    for (const [nth, entry] of found.entries()) {
      cache.set(changed[nth]!.id, { ...heldOf(entry), size: Infinity });
    }
    return isWritten;
  }

  function heldOf({ value, ...version }: Deno.KvEntryMaybe<Stored>): Held<T> {
    return { version, held: decode(value), marks: value?.marks ?? [] };
  }

  /** Makes a change. Returns its outcome. */
  return ({ key, preconditions, decide }: Change<T>): Promise<WriteOutcome> =>
    new Promise((settle, fail) => {
      const id = key.join("/");
      const size = cache.get(id)?.size ?? Infinity;
      queue.add({
        id,
        key,
        writes: [id],
        preconditions,
        bytes: 2 * id.length + RECORD_BYTES + size + GROWTH_BYTES,
        decide,
        settle,
        fail,
      });
    });
}

/** Settles the changes whose preconditions no longer hold, and returns the others. */
async function dropOutdated<T>(
  read: ReadKey,
  batch: readonly Waiting<T>[],
): Promise<readonly Waiting<T>[]> {
  const outdated = new Set<string>();
  await Promise.all(
    listPreconditions(batch).map(async ({ id, key, versionstamp }) => {
      const entry = await read(key);
      if (entry.versionstamp !== versionstamp) outdated.add(id);
    }),
  );
  return batch.filter(({ preconditions, settle }) => {
    const holds = !preconditions.some(({ id }) => outdated.has(id));
    if (!holds) settle("outdated");
    return holds;
  });
}

/** Returns the preconditions of a batch; there may be two versions of one record. */
function listPreconditions<T>(batch: readonly Waiting<T>[]): Version[] {
  const versions = batch.flatMap(({ preconditions }) => preconditions);
  return [...new Map(versions.map((one) => [one.id, one])).values()];
}
