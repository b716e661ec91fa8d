/** An instrumented database returns the same results and counts its operations. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KvCounts } from "../../../../services/platform/observability/process_metrics_schema.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { instrumentedKv } from "../../../../services/platform/kv/database.ts";

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
