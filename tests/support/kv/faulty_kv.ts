/** A database with injected faults. */
import { assert } from "@std/assert";
import { CommitOutcomeUnknown } from "../../../services/platform/kv/commit.ts";

/** Active faults. */
export interface KvFaults {
  /** Thrown by every read unless null. */
  reads: Error | null;
  /** Thrown by every write unless null; nothing is written. */
  commits: Error | null;
  /** Number of the next write that fails; 0 for none. */
  failingWrite: number;
  /** Number of further commits that find the database locked. */
  locked: number;
  /** Number of further transactions that are written but report a lost connection. */
  lostAnswers: number;
  /** What every call waits for, unless null. */
  pause: (() => Promise<void>) | null;
}

/** A driver error that no caller may see. */
export const DISK_ERROR = "disk I/O error: /var/lib/firn/kv.sqlite3";

/** The error of SQLite on a full disk. */
export const DISK_FULL = "database or disk is full";

/** The error of a hosted database whose response is lost. */
export const CONNECTION_LOST = "connection closed before message completed";

/** The error of a lost race on one SQLite file. */
const LOCKED = "database is locked";

/** Entries that a list reads at once. */
const LIST_BATCH = 100;

/** Adds faults to a database; none is active at first. */
export function breakKv(kv: Deno.Kv): KvFaults {
  const faults: KvFaults = {
    reads: null,
    commits: null,
    failingWrite: 0,
    locked: 0,
    lostAnswers: 0,
    pause: null,
  };
  const { get, getMany, list, set, delete: remove, atomic } = kv;
  async function reading(): Promise<void> {
    await faults.pause?.();
    if (faults.reads) throw faults.reads;
  }
  async function writing(): Promise<void> {
    await faults.pause?.();
    if (faults.commits) throw faults.commits;
    if (faults.failingWrite > 0 && --faults.failingWrite === 0) {
      throw new Error(DISK_ERROR);
    }
    if (faults.locked > 0) {
      faults.locked--;
      throw new TypeError(LOCKED);
    }
  }
  kv.get = async (...args) => {
    await reading();
    return await get.apply(kv, args) as never;
  };
  kv.getMany = async (...args: unknown[]) => {
    await reading();
    return await getMany.apply(kv, args as never) as never;
  };
  kv.list = (...args) => {
    const entries = list.apply(kv, args);
    const next = entries.next.bind(entries);
    let read = 0;
    entries.next = async () => {
      // The others of a batch are there already.
      if (read++ % LIST_BATCH === 0) await reading();
      return await next();
    };
    return entries as never;
  };
  kv.set = async (...args) => {
    await writing();
    return await set.apply(kv, args);
  };
  kv.delete = async (...args) => {
    await writing();
    await remove.apply(kv, args);
  };
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      await writing();
      const result = await commit();
      if (faults.lostAnswers > 0) {
        faults.lostAnswers--;
        throw new Error(CONNECTION_LOST);
      }
      return result;
    };
    return operation;
  };
  return faults;
}

/**
 * Makes a change whose commit is made or not: nothing that can be read shows which.
 * Returns what the change returned if another commit was lost in its place: one that
 * the process made beside it.
 */
export async function loseOutcome<T>(
  kv: Deno.Kv,
  faults: KvFaults,
  { isMade }: { readonly isMade: boolean },
  change: () => Promise<T>,
): Promise<T | undefined> {
  const { atomic } = kv;
  let isLost = false;
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      if (isLost) return await commit();
      // A locked database throws here, and the commit is tried again.
      if (isMade) await commit();
      isLost = true;
      faults.reads = new Error(CONNECTION_LOST);
      throw faults.reads;
    };
    return operation;
  };
  try {
    return await change().catch((error) => {
      assert(error instanceof CommitOutcomeUnknown, String(error));
      return undefined;
    });
  } finally {
    kv.atomic = atomic;
    faults.reads = null;
  }
}
