/**
 * The database as the service uses it: its operations are counted and bounded in time,
 * and refusals are faults. A hosted database has several connections.
 */
import { CommitOutcomeUnknown, retryConflicts } from "./commit.ts";
import { isLocked, storeBusy, withRefusalAsFault } from "./sqlite_errors.ts";

/** Longest time of a read, and of a commit. Together they are less than five seconds. */
const READ_MS = 1_900;
const COMMIT_MS = 3_000;

/**
 * After an operation took too long, others fail at once for this time, so that an
 * answer that needs several of them is not late by all their times.
 */
const REST_MS = 1_000;

/** By what the time of operations is measured and bounded, in ms. */
export interface Stopwatch {
  readonly elapsed: () => number;
  readonly timeout: (ms: number) => AbortSignal;
}

const REAL_TIME: Stopwatch = {
  elapsed: () => performance.now(),
  // Bound here: tests replace it to control the timeouts of upstream calls.
  timeout: AbortSignal.timeout.bind(AbortSignal),
};

/** Counts the operations of one call. */
type CountKv = (
  asked: Readonly<
    Partial<
      Record<
        "reads" | "keysRead" | "commits" | "mutations" | "conflicts",
        number
      >
    >
  >,
) => void;

/** An operation under way. */
interface UnderWay {
  readonly endsAt: number;
  readonly onLate: () => void;
}

/**
 * Bounds the time of operations that may all take equally long. They share one alarm,
 * which stays set after they end: a timer of its own costs a read a twentieth of its
 * time.
 */
function deadline(ms: number, { elapsed, timeout }: Stopwatch) {
  // Oldest first: they also end in this order.
  const underWay = new Set<UnderWay>();
  let isSet = false;

  function setAlarm(inMs: number): void {
    isSet = true;
    timeout(Math.ceil(inMs)).addEventListener("abort", ring);
  }

  function ring(): void {
    const [oldest] = underWay;
    if (oldest === undefined) {
      isSet = false;
      return;
    }
    const now = elapsed();
    if (oldest.endsAt > now) setAlarm(oldest.endsAt - now);
    // An answer that came while the process was busy is not late.
    else timeout(1).addEventListener("abort", () => endLate(now));
  }

  function endLate(now: number): void {
    for (const operation of underWay) {
      if (operation.endsAt > now) break;
      underWay.delete(operation);
      operation.onLate();
    }
    ring();
  }

  return {
    /** Begins an operation; `onLate` is called unless it is removed in time. */
    add(now: number, onLate: () => void): UnderWay {
      const operation = { endsAt: now + ms, onLate };
      underWay.add(operation);
      if (!isSet) setAlarm(ms);
      return operation;
    },
    remove: (operation: UnderWay) => underWay.delete(operation),
  };
}

/**
 * Wraps a database. Each call is counted and passed on. A write throws a fault if
 * the database refuses all writes; one without checks waits for the lock. An
 * operation throws a `storeBusy` fault if the database is too slow; a commit that
 * was sent throws `CommitOutcomeUnknown` then.
 */
export function instrumentedKv(
  kv: Deno.Kv,
  count: CountKv,
  stopwatch: Stopwatch = REAL_TIME,
): Deno.Kv {
  const { elapsed } = stopwatch;
  let slowAt = -Infinity;
  const reads = deadline(READ_MS, stopwatch);
  const commits = deadline(COMMIT_MS, stopwatch);

  /**
   * Runs an operation, unless the database has just been too slow. Every read of the
   * service passes here, so it makes one promise, and no timer and no race.
   */
  function inTime<T>(
    work: () => Promise<T>,
    { add, remove }: typeof reads,
    lateError: (fault: Error) => Error,
  ): Promise<T> {
    const busy = () => storeBusy("does not answer in time");
    const now = elapsed();
    if (now - slowAt < REST_MS) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      // What throws at once is not waited for.
      const working = work();
      const operation = add(now, () => {
        slowAt = elapsed();
        reject(lateError(busy()));
      });
      working.then((result) => {
        remove(operation);
        resolve(result);
      }, (error) => {
        remove(operation);
        reject(withRefusalAsFault(error));
      });
    });
  }

  /** Runs a read. */
  function read<T>(work: () => Promise<T>): Promise<T> {
    return inTime(work, reads, (fault) => fault);
  }

  /** Runs a transaction and counts it. */
  async function commit<
    Result extends Deno.KvCommitResult | Deno.KvCommitError | void,
  >(mutations: number, work: () => Promise<Result>): Promise<Result> {
    count({ commits: 1, mutations });
    try {
      const result = await inTime(
        work,
        commits,
        (fault) => new CommitOutcomeUnknown(fault),
      );
      if (result && !result.ok) count({ conflicts: 1 });
      return result;
    } catch (error) {
      if (isLocked(error)) count({ conflicts: 1 });
      throw error;
    }
  }

  return {
    get(key, options) {
      count({ reads: 1, keysRead: 1 });
      return read(() => kv.get(key, options));
    },
    getMany(keys, options) {
      count({ reads: 1, keysRead: keys.length });
      return read(() => kv.getMany(keys, options));
    },
    list: (selector, options) =>
      countedList(kv.list(selector, options), count, read),
    set: (...args) => whileLocked(() => commit(1, () => kv.set(...args))),
    delete: (key) => whileLocked(() => commit(1, () => kv.delete(key))),
    atomic: () => countedAtomic(kv.atomic(), commit),
    enqueue: (...args) => kv.enqueue(...args),
    listenQueue: (handler) => kv.listenQueue(handler),
    watch: (keys, options) => kv.watch(keys, options),
    commitVersionstamp: () => kv.commitVersionstamp(),
    close: () => kv.close(),
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Repeats a write without checks while another process holds the lock of the database. */
async function whileLocked<T>(write: () => Promise<T>): Promise<T> {
  let locked: unknown;
  const written = await retryConflicts(async () => {
    try {
      return { value: await write() };
    } catch (error) {
      if (!isLocked(error)) throw error;
      locked = error;
      return null;
    }
  });
  if (written === null) throw locked;
  return written.value;
}

/** Every batch of a list has a multiple of these entries. */
const BATCH_ENTRIES = 100;

/** Wraps a list. It is counted when the caller stops reading. */
function countedList<T>(
  entries: Deno.KvListIterator<T>,
  count: CountKv,
  read: <R>(work: () => Promise<R>) => Promise<R>,
): Deno.KvListIterator<T> {
  const iterator = entries[Symbol.asyncIterator]();
  let keysRead = 0;
  const counted = {
    get cursor() {
      return entries.cursor;
    },
    async next() {
      // Only the first entry of a batch can take time.
      const result = keysRead % BATCH_ENTRIES === 0
        ? await read(() => iterator.next())
        : await iterator.next();
      if (result.done) count({ reads: 1, keysRead });
      else keysRead++;
      return result;
    },
    /** Called when a loop ends early. */
    return() {
      count({ reads: 1, keysRead });
      return Promise.resolve({ done: true as const, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return counted;
    },
  };
  return counted;
}

type Commit = <Result extends Deno.KvCommitResult | Deno.KvCommitError | void>(
  mutations: number,
  work: () => Promise<Result>,
) => Promise<Result>;

/** The methods that add mutations to a transaction. */
const MUTATING = ["mutate", "sum", "min", "max", "set", "delete"] as const;

/**
 * Wraps a transaction. Its mutations are counted when it is committed. Without checks it
 * is repeated while the database is locked; with checks, the caller decides anew.
 */
function countedAtomic(
  atomic: Deno.AtomicOperation,
  commit: Commit,
): Deno.AtomicOperation {
  let mutations = 0;
  // Every method returns the same object.
  for (const name of MUTATING) {
    const mutate = (atomic[name] as (...args: unknown[]) => unknown)
      .bind(atomic);
    const counted = (...args: unknown[]) => {
      mutations += name === "mutate" ? args.length : 1;
      mutate(...args);
      return atomic;
    };
    Object.assign(atomic, { [name]: counted });
  }
  let isChecked = false;
  const check = atomic.check.bind(atomic);
  const send = atomic.commit.bind(atomic);
  const sendCounted = () => commit(mutations, send);
  return Object.assign(atomic, {
    check(...checks: Deno.AtomicCheck[]) {
      isChecked = true;
      check(...checks);
      return atomic;
    },
    commit: () => isChecked ? sendCounted() : whileLocked(sendCounted),
  });
}

/** Connections of a process. Each costs an exchange of tokens an hour. */
const MAX_CONNECTIONS = 32;

/** A connection, and its requests that are not answered yet. */
interface Connection {
  readonly kv: Deno.Kv;
  underWay: number;
}

/**
 * Opens a hosted database. Further connections are opened when all are in use, up to
 * `most`. Deno's client leaves Nagle's algorithm on: data waits until the server has
 * acknowledged everything that was sent before on the same connection. A server
 * acknowledges with its next answer, or after 40 ms (delayed ACK). So a request uses an
 * idle connection.
 */
export async function pooledKv(
  open: () => Promise<Deno.Kv>,
  most: number = MAX_CONNECTIONS,
): Promise<Deno.Kv> {
  const first = { kv: await open(), underWay: 0 };
  const connections: Connection[] = [first];
  let opening = 0;
  let isClosed = false;

  /** Opens one more connection. If that fails, the others are used. */
  async function add(): Promise<void> {
    opening++;
    try {
      const kv = await open();
      if (isClosed) kv.close();
      else connections.push({ kv, underWay: 0 });
    } catch {
      // The next request that finds no idle connection tries again.
    } finally {
      opening--;
    }
  }

  /** Returns an idle connection, or else the one with the fewest requests. */
  function choose(): Connection {
    let least: Connection = first;
    for (const connection of connections) {
      if (connection.underWay === 0) return connection;
      if (connection.underWay < least.underWay) least = connection;
    }
    if (connections.length + opening < most) add();
    return least;
  }

  async function run<T>(
    connection: Connection,
    work: () => Promise<T>,
  ): Promise<T> {
    connection.underWay++;
    try {
      return await work();
    } finally {
      connection.underWay--;
    }
  }

  function ask<T>(work: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    const connection = choose();
    return run(connection, () => work(connection.kv));
  }

  function close(): void {
    isClosed = true;
    for (const { kv } of connections) kv.close();
  }

  return {
    get: (key, options) => ask((kv) => kv.get(key, options)),
    getMany: (keys, options) => ask((kv) => kv.getMany(keys, options)),
    list: (selector, options) => choose().kv.list(selector, options),
    set: (...args) => ask((kv) => kv.set(...args)),
    delete: (key) => ask((kv) => kv.delete(key)),
    atomic() {
      const connection = choose();
      const atomic = connection.kv.atomic();
      // Checks and writes return the same object.
      const commit = atomic.commit.bind(atomic);
      return Object.assign(atomic, { commit: () => run(connection, commit) });
    },
    enqueue: (...args) => ask((kv) => kv.enqueue(...args)),
    listenQueue: (handler) => first.kv.listenQueue(handler),
    watch: (keys, options) => first.kv.watch(keys, options),
    commitVersionstamp: () => first.kv.commitVersionstamp(),
    close,
    [Symbol.dispose]: close,
  };
}

/** Attempts to open, and the longest pause between them. */
const MAX_OPENINGS = 20;
const MAX_PAUSE_MS = 100;

/** SQLite itself waits five seconds for a lock that another program does not release. */
const LOCKED_MS = 4_000;

/** Opens a database. Retries while it is locked: several processes may create one file at the same time. */
export async function openDatabase(
  path: string | undefined,
  open: typeof Deno.openKv = Deno.openKv,
): Promise<Deno.Kv> {
  const startedAt = performance.now();
  for (let attempt = 1;; attempt++) {
    try {
      return await open(path);
    } catch (error) {
      const isLate = performance.now() - startedAt > LOCKED_MS;
      if (!isLocked(error) || isLate || attempt === MAX_OPENINGS) throw error;
      const pauseMs = Math.random() * MAX_PAUSE_MS;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
