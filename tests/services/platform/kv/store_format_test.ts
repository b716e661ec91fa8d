import { assertEquals, assertRejects } from "@std/assert";
import {
  FORMAT,
  type Migration,
  NewerStore,
  prepareStore,
} from "../../../../services/platform/kv/store_format.ts";

/** Migrates ten records by doubling them, three a step, so that a step applied twice shows. */
const DOUBLE: Migration = {
  to: 2,
  async step(kv, cursor) {
    const start = ["numbers", typeof cursor === "number" ? cursor : 0];
    const entries = await Array.fromAsync(
      kv.list<number>({ start, end: ["numbers", Infinity] }, { limit: 3 }),
    );
    const last = entries.at(-1);
    return {
      write(atomic) {
        for (const { key, value } of entries) atomic.set(key, value * 2);
        return atomic;
      },
      next: entries.length < 3 ? null : Number(last!.key[1]) + 1,
    };
  },
};

const formatOf = async (kv: Deno.Kv) => (await kv.get(["format"])).value;

async function openNumbered(format: number) {
  const kv = await Deno.openKv(":memory:");
  for (let nth = 0; nth < 10; nth++) await kv.set(["numbers", nth], nth);
  await kv.set(["format"], { format, cursor: null });
  return kv;
}

async function readNumbers(kv: Deno.Kv) {
  const entries = await Array.fromAsync(kv.list({ prefix: ["numbers"] }));
  return entries.map(({ value }) => value);
}

const DOUBLED = Array.from({ length: 10 }, (_, nth) => nth * 2);

Deno.test("prepareStore() gives an empty store the format of this version, and reads it at later starts", async () => {
  using kv = await Deno.openKv(":memory:");
  await prepareStore(kv);
  assertEquals(await formatOf(kv), { format: FORMAT, cursor: null });
  const { versionstamp } = await kv.get(["format"]);
  await prepareStore(kv);
  assertEquals((await kv.get(["format"])).versionstamp, versionstamp);
});

Deno.test("prepareStore() does not migrate an empty store", async () => {
  using kv = await Deno.openKv(":memory:");
  const step = () => Promise.reject(new Error("nothing to migrate"));
  await prepareStore(kv, [{ to: 2, step }], 2);
  assertEquals(await formatOf(kv), { format: 2, cursor: null });
});

Deno.test("prepareStore() migrates a store of format 1", async () => {
  using kv = await openNumbered(1);
  await prepareStore(kv, [DOUBLE], 2);
  assertEquals(await readNumbers(kv), DOUBLED);
  assertEquals(await formatOf(kv), { format: 2, cursor: null });
  await prepareStore(kv, [DOUBLE], 2);
  assertEquals(await readNumbers(kv), DOUBLED, "once");
});

Deno.test("prepareStore() continues a migration that was interrupted, at any step", async () => {
  for (let steps = 0; steps < 4; steps++) {
    using kv = await openNumbered(1);
    let left = steps;
    const interrupted: Migration = {
      to: 2,
      step(kv, cursor) {
        if (left-- === 0) throw new Error("killed");
        return DOUBLE.step(kv, cursor);
      },
    };
    await assertRejects(() => prepareStore(kv, [interrupted], 2), Error);
    assertEquals(
      (await readNumbers(kv)).slice(0, 3 * steps),
      DOUBLED.slice(0, 3 * steps),
    );
    await prepareStore(kv, [DOUBLE], 2);
    assertEquals(await readNumbers(kv), DOUBLED);
  }
});

Deno.test("prepareStore() applies each step once when several processes start", async () => {
  using kv = await openNumbered(1);
  await Promise.all(
    Array.from({ length: 5 }, () => prepareStore(kv, [DOUBLE], 2)),
  );
  assertEquals(await readNumbers(kv), DOUBLED);
});

Deno.test("prepareStore() applies the migrations in order", async () => {
  using kv = await openNumbered(1);
  const order: number[] = [];
  const noted = (to: number): Migration => ({
    to,
    step() {
      order.push(to);
      return Promise.resolve({ write: (atomic) => atomic, next: null });
    },
  });
  await prepareStore(kv, [noted(4), noted(2), noted(3)], 4);
  assertEquals(order, [2, 3, 4]);
});

Deno.test("prepareStore() refuses a store of a newer version, and changes nothing", async () => {
  using kv = await openNumbered(2);
  const { versionstamp } = await kv.get(["format"]);
  await assertRejects(
    () => prepareStore(kv, [], 1),
    NewerStore,
    "the store has format 2: expected at most 1",
  );
  assertEquals((await kv.get(["format"])).versionstamp, versionstamp);
});
