/** Reads of one turn, their versions, and remembered records. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  rememberedRecords,
  sharedReads,
  trackedReads,
} from "../../../../services/platform/kv/reads.ts";
import { tapKv } from "../../../support/kv/tapped_kv.ts";

/** Opens a database with numbers under their own names. */
async function open(count: number) {
  const kv = await Deno.openKv(":memory:");
  for (let nth = 0; nth < count; nth++) await kv.set(["numbers", nth], nth);
  return kv;
}

const keyOf = (nth: number) => ["numbers", nth];

Deno.test("sharedReads() reads the keys of one turn in calls of ten", async () => {
  using kv = await open(25);
  const read = sharedReads(kv);
  const { reads } = tapKv(kv);
  const entries = await Promise.all(
    Array.from({ length: 25 }, (_, nth) => read<number>(keyOf(nth))),
  );
  assertEquals(entries.map(({ value }) => value), [...Array(25).keys()]);
  assertEquals(entries.map(({ key }) => key), [...Array(25).keys()].map(keyOf));
  assertEquals(reads.map((keys) => keys.length), [10, 10, 5]);
});

Deno.test("sharedReads() reads six keys in a call of a hosted database", async () => {
  using kv = await open(13);
  const read = sharedReads(kv, { isHosted: true });
  const { reads } = tapKv(kv);
  await Promise.all(Array.from({ length: 13 }, (_, nth) => read(keyOf(nth))));
  assertEquals(reads.map((keys) => keys.length), [6, 6, 1]);
});

Deno.test("sharedReads() reads a repeated key once, and a key of another type separately", async () => {
  using kv = await open(2);
  await kv.set(["numbers", "1"], "one");
  const read = sharedReads(kv);
  const { reads } = tapKv(kv);
  const [first, again, alike, absent] = await Promise.all([
    read(["numbers", 1]),
    read(["numbers", 1]),
    read(["numbers", "1"]),
    read(["numbers", 2]),
  ]);
  assertEquals([first.value, again.value], [1, 1]);
  assertEquals([alike.value, absent.versionstamp], ["one", null]);
  assertEquals(reads, [[["numbers", 1], ["numbers", "1"], ["numbers", 2]]]);
});

Deno.test("sharedReads() never joins a call that has already started", async () => {
  using kv = await open(1);
  const read = sharedReads(kv);
  const { reads } = tapKv(kv);
  const early = read<number>(keyOf(0));
  await Promise.resolve();
  assertEquals(reads.length, 1, "the first call has started");
  await kv.set(keyOf(0), 7);
  assertEquals((await read<number>(keyOf(0))).value, 7);
  await early;
  assertEquals(reads.length, 2);
});

Deno.test("sharedReads() rejects an invalid key, and reads the others of its call", async () => {
  using kv = await open(3);
  const read = sharedReads(kv);
  const valid = Promise.all([keyOf(0), keyOf(2)].map((key) => read(key)));
  const invalid = read(["numbers", "x".repeat(3_000)]);
  await assertRejects(() => invalid, TypeError);
  assertEquals((await valid).map(({ value }) => value), [0, 2]);
});

Deno.test("sharedReads() rejects the reads of a failed call only, and no later read", async () => {
  using kv = await open(12);
  const read = sharedReads(kv);
  const { getMany } = kv;
  let calls = 0;
  kv.getMany = (...args: unknown[]) =>
    ++calls === 1
      ? Promise.reject(new Error("unreachable"))
      : getMany.apply(kv, args as never) as never;
  const all = await Promise.allSettled(
    Array.from({ length: 12 }, (_, nth) => read(keyOf(nth))),
  );
  const read10 = all.slice(0, 10).every(({ status }) => status === "rejected");
  assert(read10);
  assertEquals(all[11], {
    status: "fulfilled",
    value: await kv.get(keyOf(11)),
  });
  assertEquals((await read(keyOf(0))).value, 0);
  kv.getMany = () => Promise.reject(new Error("gone"));
  await assertRejects(() => read(keyOf(0)), Error, "gone");
});

Deno.test("trackedReads() lists the version of each record read, absent ones too", async () => {
  using kv = await open(1);
  const { read, versions } = trackedReads(sharedReads(kv));
  await Promise.all([read(keyOf(0)), read(keyOf(1))]);
  const check = () => kv.atomic().check(...versions).commit();
  assertEquals(versions.map(({ key }) => key), [keyOf(0), keyOf(1)]);
  assert((await check()).ok);
  await kv.set(keyOf(1), 1);
  assert(!(await check()).ok);
  const again = trackedReads(sharedReads(kv));
  await again.read(keyOf(1));
  assert(again.versions[0]!.id !== versions[1]!.id);
});

const A = ["a"];
const B = ["b"];
const entry = (key: string[], versionstamp: string, value: unknown = 1) => ({
  key,
  value,
  versionstamp,
});

Deno.test("find() returns records in the order of the keys, and none if one is unknown", () => {
  const records = rememberedRecords(10);
  records.put([entry(A, "1"), entry(B, "2")]);
  assertEquals(records.find([B, A]), [entry(B, "2"), entry(A, "1")]);
  assertEquals(records.find([A, ["c"]]), undefined);
});

Deno.test("a record that another process changed is not found until it is read again", () => {
  const records = rememberedRecords(10);
  records.put([entry(A, "1")]);
  records.compare(entry(A, "1"));
  assertEquals(records.find([A]), [entry(A, "1")], "as it was left");
  records.compare(entry(A, "2"));
  assertEquals(records.find([A]), undefined, "changed elsewhere");
  records.putWritten([[A, "mine"]], "3");
  assertEquals(records.find([A]), undefined, "written over by this process");
  records.compare(entry(A, "3"));
  assertEquals(records.find([A]), [entry(A, "3", "mine")], "left alone since");
  records.compare(entry(A, "4"));
  records.put([entry(A, "4")]);
  assertEquals(records.find([A]), [entry(A, "4")], "read again");
});

Deno.test("a record that was never remembered is not remembered by a comparison", () => {
  const records = rememberedRecords(10);
  records.compare(entry(A, "1"));
  assertEquals(records.find([A]), undefined);
  records.putWritten([[A, 5]], "6");
  assertEquals(records.find([A]), [entry(A, "6", 5)]);
});
