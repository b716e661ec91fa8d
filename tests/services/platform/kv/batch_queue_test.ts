/** Queue of batched changes: no item is left waiting. */
import { assertEquals } from "@std/assert";
import {
  batchQueue,
  type Precondition,
} from "../../../../services/platform/kv/batched_writes.ts";
import { waitUntil } from "../../../support/wait_until.ts";

Deno.test("batchQueue commits items that callers add as soon as they are notified", async () => {
  const committed: string[] = [];
  const settlers = new Map<string, () => void>();
  let together = Promise.withResolvers<void>();
  const queue = batchQueue({
    sizeLimit: () => 1,
    // Two batches at a time end in the same turn.
    async commit(batch) {
      committed.push(...batch.flatMap(({ writes }) => writes));
      if (committed.length % 2 === 0) {
        together.resolve();
        together = Promise.withResolvers();
      } else await together.promise;
      return () =>
        batch.forEach(({ writes: [item] }) => settlers.get(item!)!());
    },
  });
  const change = (item: string) =>
    new Promise<void>((settle) => {
      settlers.set(item, settle);
      queue.add({ writes: [item] });
    });
  const caller = async (name: string) => {
    for (let round = 0; round < 20; round++) await change(`${name} ${round}`);
  };
  await Promise.all([caller("a"), caller("b")]);
  assertEquals(committed.length, 40);
});

/** A queue that writes one record at a time, unless its items are small, and lists what each batch wrote. */
function listingQueue(sizes: { most: number; maxBytes?: number }) {
  const batches: string[][] = [];
  const queue = batchQueue({
    sizeLimit: () => sizes.most,
    recordLimit: () => 1,
    maxBytes: sizes.maxBytes ?? 0,
    concurrency: 1,
    commit(batch) {
      batches.push(batch.map(({ writes }) => writes.join("")));
      return Promise.resolve(() => {});
    },
  });
  /** Waits until so many items are written. */
  const reach = (count: number) =>
    waitUntil(() => batches.flat().length === count);
  return { batches, queue, reach };
}

Deno.test("batchQueue writes no more records at once than the limit, and later items pass one that does not fit", async () => {
  const { batches, queue, reach } = listingQueue({ most: 3 });
  for (const item of ["z", "a", "ab", "a", "a", "a"]) {
    queue.add({ writes: [...item] });
  }
  await reach(6);
  assertEquals(batches, [["z"], ["a", "a", "a"], ["ab", "a"]]);
});

Deno.test("batchQueue writes more records at once than the limit while the items are small together", async () => {
  const { batches, queue, reach } = listingQueue({ most: 9, maxBytes: 10 });
  for (const [record, bytes] of Object.entries({ a: 6, b: 4, c: 1, d: 11 })) {
    queue.add({ writes: [record], bytes });
  }
  await reach(4);
  assertEquals(batches, [["a", "b"], ["c"], ["d"]]);
});

Deno.test("batchQueue counts the bytes of a precondition once in a batch", async () => {
  const { batches, queue, reach } = listingQueue({ most: 9, maxBytes: 10 });
  const fact = (id: string) => ({ id, bytes: 4 });
  queue.add({ writes: ["a"], bytes: 3, preconditions: [fact("shared")] });
  queue.add({ writes: ["b"], bytes: 3, preconditions: [fact("own")] });
  queue.add({ writes: ["c"], bytes: 3, preconditions: [fact("shared")] });
  await reach(3);
  assertEquals(batches, [["a", "c"], ["b"]]);
});

/** A queue that records its batches; each is committed once its gate is opened. */
function gatedQueue() {
  const batches: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const queue = batchQueue<
    { writes: string[]; preconditions?: Precondition[] }
  >({
    sizeLimit: () => 9,
    async commit(batch) {
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      batches.push(batch.map(({ writes }) => writes[0]!));
      await gate.promise;
      return () => {};
    },
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  /** Waits for so many batches, and a turn longer for one too many. */
  const reach = async (count: number) => {
    await waitUntil(() => gates.length >= count);
    await turn();
    assertEquals(batches.length, count);
  };
  return { queue, batches, gates, reach };
}

Deno.test("batchQueue keeps an item back while any of its records is written", async () => {
  const { queue, batches, gates, reach } = gatedQueue();
  queue.add({ writes: ["a"] });
  await reach(1);
  queue.add({ writes: ["ab", "a", "b"] });
  queue.add({ writes: ["c"] });
  await reach(2);
  assertEquals(batches, [["a"], ["c"]]);
  gates[1]!.resolve();
  await reach(2);
  gates[0]!.resolve();
  await reach(3);
  assertEquals(batches, [["a"], ["c"], ["ab"]]);
  gates[2]!.resolve();
});

Deno.test("batchQueue commits at most 100 records together, and more of one item alone", async () => {
  const { queue, batches, gates, reach } = gatedQueue();
  const add = (name: string, writes: number, checks: number) => {
    const records = (kind: string, count: number) =>
      Array.from({ length: count }, (_, nth) => `${name} ${kind} ${nth}`);
    queue.add({
      writes: [name, ...records("write", writes - 1)],
      preconditions: records("check", checks).map((id) => ({ id, bytes: 1 })),
    });
  };
  add("40", 40, 0);
  add("60", 1, 59);
  add("1", 1, 0);
  add("101", 1, 100);
  await reach(2);
  gates[0]!.resolve();
  await reach(3);
  for (const gate of gates) gate.resolve();
  assertEquals(batches, [["40", "60"], ["1"], ["101"]]);
});
