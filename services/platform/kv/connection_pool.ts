/**
 * Several connections to one hosted database. Deno's client leaves Nagle's algorithm
 * on: data waits until the server has acknowledged everything that was sent before on
 * the same connection. A server acknowledges with its next answer, or after 40 ms
 * (delayed ACK). So a request uses an idle connection.
 */
import { isLocked } from "./sqlite_errors.ts";

/** Connections of a process. Each costs an exchange of tokens an hour. */
const MAX_CONNECTIONS = 32;

/** A connection, and its requests that are not answered yet. */
interface Connection {
  readonly kv: Deno.Kv;
  underWay: number;
}

/** Opens a database. Further connections are opened when all are in use, up to `most`. */
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
const MAX_ATTEMPTS = 20;
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
      if (!isLocked(error) || isLate || attempt === MAX_ATTEMPTS) throw error;
      const pauseMs = Math.random() * MAX_PAUSE_MS;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
