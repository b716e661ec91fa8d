/** Queue of batched changes: no item is left waiting. */
import { assertEquals } from "@std/assert";
import { batchQueue } from "../../../../services/platform/kv/batch_queue.ts";

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

Deno.test("batchQueue writes no more records at once than the limit, and later items pass one that does not fit", async () => {
  const batches: string[][] = [];
  const queue = batchQueue({
    sizeLimit: () => 3,
    recordLimit: () => 1,
    concurrency: 1,
    commit(batch) {
      batches.push(batch.map(({ writes }) => writes.join("")));
      return Promise.resolve(() => {});
    },
  });
  for (const item of ["z", "a", "ab", "a", "a", "a"]) {
    queue.add({ writes: [...item] });
  }
  await queue.idle();
  assertEquals(batches, [["z"], ["a", "a", "a"], ["ab", "a"]]);
});
