/** The database as the service uses it: counts, times, locks, and connections of a hosted one. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KvCounts } from "../../../../services/platform/observability/process_metrics_schema.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  instrumentedKv,
  openDatabase,
  pooledKv,
} from "../../../../services/platform/kv/database.ts";

async function newKv() {
  const raw = await Deno.openKv(":memory:");
  const asked: KvCounts[] = [];
  const kv = instrumentedKv(raw, (one) => asked.push(one));
  return { raw, kv, asked, [Symbol.dispose]: () => raw.close() };
}

Deno.test("instrumentedKv() counts reads and keys, and returns the entries", async () => {
  using opened = await newKv();
  const { raw, kv, asked } = opened;
  for (const nth of [1, 2, 3]) await raw.set(["n", nth], nth);
  assertEquals((await kv.get(["n", 1])).value, 1);
  const many = await kv.getMany([["n", 2], ["n", 4]]);
  assertEquals(many.map(({ value }) => value), [2, null]);
  const values = await Array.fromAsync(
    kv.list<number>({ prefix: ["n"] }, { reverse: true }),
    ({ value }) => value,
  );
  assertEquals(values, [3, 2, 1]);
  const list = kv.list({ prefix: ["n"] });
  for await (const { key } of list) {
    assertEquals(key, ["n", 1]);
    break;
  }
  assert(list.cursor.length > 0);
  assertEquals(asked, [
    { reads: 1, keysRead: 1 },
    { reads: 1, keysRead: 2 },
    { reads: 1, keysRead: 3 },
    { reads: 1, keysRead: 1 },
  ]);
});

Deno.test("instrumentedKv() counts commits, mutations and conflicts", async () => {
  using opened = await newKv();
  const { kv, asked } = opened;
  const absent = await kv.get(["a"]);
  await kv.set(["a"], 1);
  await kv.delete(["b"]);
  const write = () =>
    kv.atomic().check(absent).set(["a"], 2).set(["c"], 3).delete(["d"])
      .sum(["e"], 1n).min(["e"], 1n).max(["e"], 1n)
      .mutate(...["f", "g"].map((key) => {
        return { type: "set" as const, key: [key], value: 1 };
      }));
  assertEquals((await write().commit()).ok, false);
  assertEquals((await kv.get(["c"])).versionstamp, null);
  assertEquals((await kv.atomic().set(["c"], 3).commit()).ok, true);
  assertEquals((await kv.get(["c"])).value, 3);
  assertEquals(asked.filter(({ reads }) => reads === undefined), [
    { commits: 1, mutations: 1 },
    { commits: 1, mutations: 1 },
    { commits: 1, mutations: 8 },
    { conflicts: 1 },
    { commits: 1, mutations: 1 },
  ]);
});

Deno.test("instrumentedKv() counts a locked database as a conflict, and no other error", async () => {
  using opened = await newKv();
  const { raw, kv, asked } = opened;
  const { atomic } = raw;
  const errors: [error: Error, conflicts: number][] = [
    [new TypeError("database is locked"), 1],
    [new Error("disk is full"), 0],
  ];
  for (const [error, conflicts] of errors) {
    asked.length = 0;
    const fails = { commit: () => Promise.reject(error) };
    raw.atomic = () => Object.assign(atomic.call(raw), fails);
    // With a check, the caller decides anew.
    const check = { key: ["a"], versionstamp: null };
    const commit = () => kv.atomic().check(check).set(["a"], 1).commit();
    await assertRejects(commit, Error, error.message);
    assertEquals(asked.filter((one) => one.conflicts).length, conflicts);
  }
});

Deno.test("set(), delete() and a transaction without checks of instrumentedKv() wait for the lock of another process", async () => {
  using opened = await newKv();
  const { raw, kv, asked } = opened;
  const { set } = raw;
  let locked = 3;
  raw.set = (...args) =>
    locked-- > 0
      ? Promise.reject(new TypeError("database is locked"))
      : set.apply(raw, args);
  await kv.set(["a"], 1);
  assertEquals((await kv.get(["a"])).value, 1);
  assertEquals(asked.filter((one) => one.conflicts).length, 3);
  const { atomic } = raw;
  locked = 3;
  raw.atomic = () => {
    const operation = atomic.call(raw);
    const commit = operation.commit.bind(operation);
    operation.commit = () =>
      locked-- > 0
        ? Promise.reject(new TypeError("database is locked"))
        : commit();
    return operation;
  };
  await kv.atomic().set(["a"], 2).delete(["b"]).commit();
  assertEquals((await kv.get(["a"])).value, 2);
  assertEquals(asked.filter((one) => one.conflicts).length, 6);
});

Deno.test("instrumentedKv() passes every mutation of a transaction on", async () => {
  using opened = await newKv();
  const { kv } = opened;
  const number = (value: bigint) => new Deno.KvU64(value);
  for (const name of ["sum", "min", "max"]) await kv.set([name], number(5n));
  await kv.set(["deleted"], 1);
  await kv.atomic().sum(["sum"], 2n).min(["min"], 3n).max(["max"], 9n)
    .mutate({ type: "set", key: ["mutated"], value: "m" })
    .set(["set"], "s").delete(["deleted"]).commit();
  const keys = ["sum", "min", "max", "mutated", "set", "deleted"];
  const entries = await kv.getMany<unknown[]>(keys.map((key) => [key]));
  assertEquals(entries.map(({ value }) => value), [
    number(7n),
    number(3n),
    number(9n),
    "m",
    "s",
    null,
  ]);
});

Deno.test("each operation of instrumentedKv() has its full time, and no more, beside others", async () => {
  using opened = await newKv();
  const { raw, kv } = opened;
  await kv.get(["quick"]);
  raw.get = () => new Promise(() => {});
  const startedAt = performance.now();
  const tookMs = async (waitMs: number) => {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const error = await assertRejects(() => kv.get(["hangs"]), Fault);
    assertEquals(error.failure.kind, "storeBusy");
    return performance.now() - startedAt - waitMs;
  };
  for (const ms of await Promise.all([100, 700, 1_300].map(tookMs))) {
    assert(ms >= 1_890 && ms < 2_300, `${ms} ms`);
  }
});

/** Opens a pool of local databases. Their reads wait for `answer`; `asked` lists the databases in the order of reads. */
async function openPool(most?: number) {
  const opened: Deno.Kv[] = [];
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  const closed: number[] = [];
  const state = { failing: false, late: Promise.resolve() };
  const kv = await pooledKv(async () => {
    await state.late;
    if (state.failing) throw new Error("no connection");
    const kv = await Deno.openKv(":memory:");
    const nth = opened.push(kv) - 1;
    const { get, close } = kv;
    kv.get = async (...args: Parameters<Deno.Kv["get"]>) => {
      asked.push(nth);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return await get.apply(kv, args) as never;
    };
    kv.close = () => {
      closed.push(nth);
      close.call(kv);
    };
    return kv;
  }, most);
  return {
    kv,
    opened,
    asked,
    closed,
    state,
    read: () => kv.get(["a"]),
    answer: () => waiting.splice(0).forEach((resolve) => resolve()),
    [Symbol.dispose]: () => kv.close(),
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("pooledKv() keeps one connection while each request waits for the one before", async () => {
  using pool = await openPool();
  for (let nth = 0; nth < 3; nth++) {
    const reading = pool.read();
    pool.answer();
    await reading;
  }
  assertEquals([pool.opened.length, pool.asked], [1, [0, 0, 0]]);
});

Deno.test("pooledKv() sends requests that are under way at once over connections of their own, up to the most", async () => {
  using pool = await openPool(3);
  const { asked, opened, read, answer } = pool;
  const first = [read(), read()];
  // The second found no free connection: it opens one for those that follow.
  while (opened.length < 2) await turn();
  first.push(read(), read());
  while (opened.length < 3) await turn();
  first.push(read(), read());
  await turn();
  assertEquals([opened.length, asked], [3, [0, 0, 1, 1, 2, 2]]);
  answer();
  await Promise.all(first);
  const next = [read(), read(), read()];
  assertEquals(asked.slice(6), [0, 1, 2]);
  answer();
  await Promise.all(next);
});

Deno.test("pooledKv() goes on with its connections if another one fails, and tries again later", async () => {
  using pool = await openPool();
  pool.state.failing = true;
  const reading = [pool.read(), pool.read()];
  await turn();
  assertEquals(pool.opened.length, 1);
  pool.state.failing = false;
  reading.push(pool.read());
  while (pool.opened.length < 2) await turn();
  pool.answer();
  await Promise.all(reading);
});

Deno.test("pooledKv() closes every connection, also one that opens later", async () => {
  const pool = await openPool();
  const late = Promise.withResolvers<void>();
  const reading = [pool.read(), pool.read()];
  while (pool.opened.length < 2) await turn();
  pool.state.late = late.promise;
  reading.push(pool.read(), pool.read());
  pool.answer();
  await Promise.all(reading);
  pool.kv.close();
  assertEquals(pool.closed, [0, 1]);
  late.resolve();
  while (pool.closed.length < 3) await turn();
  assertEquals(pool.opened.length, 3);
  await assertRejects(() => pool.kv.set(["a"], 1));
});

// Opening the database.

/** Returns a function that opens a database after some failures. */
function opener(failures: number, message: string) {
  const calls = { count: 0 };
  const open: typeof Deno.openKv = () =>
    ++calls.count <= failures
      ? Promise.reject(new Error(message))
      : Deno.openKv(":memory:");
  return { calls, open };
}

Deno.test("openDatabase() retries while another process creates the database", async () => {
  const { calls, open } = opener(2, "database is locked");
  using kv = await openDatabase(":memory:", open);
  await kv.set(["a"], 1);
  assertEquals(calls.count, 3);
});

Deno.test("openDatabase() throws after 20 locked attempts, and at once for other errors", async () => {
  const locked = opener(Infinity, "database is locked");
  await assertRejects(
    () => openDatabase(":memory:", locked.open),
    Error,
    "database is locked",
  );
  assertEquals(locked.calls.count, 20);
  const broken = opener(Infinity, "file is not a database");
  await assertRejects(() => openDatabase(":memory:", broken.open));
  assertEquals(broken.calls.count, 1);
});
