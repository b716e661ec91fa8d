/** Connections to one database: how many are opened, and which one a request takes. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  openDatabase,
  pooledKv,
} from "../../../../services/platform/kv/database.ts";

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

Deno.test("pooledKv() opens at most 32 connections by default", async () => {
  using pool = await openPool();
  const reading: Promise<unknown>[] = [];
  for (let nth = 0; nth < 40; nth++) {
    reading.push(pool.read(), pool.read());
    await turn();
  }
  assertEquals(pool.opened.length, 32);
  pool.answer();
  await Promise.all(reading);
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
