import { assertEquals } from "@std/assert";
import { CLOCK_SKEW_MS } from "../../../../services/platform/clock.ts";
import { publicationStore } from "../../../../services/chain_data/series/publications_store.ts";

const MINUTE_MS = 60_000;
const AT = Date.parse("2026-11-21T08:00:00Z");
const ORIGIN = "http://metrics.test";

async function inMemory() {
  const kv = await Deno.openKv(":memory:");
  const store = publicationStore(kv);
  return {
    find: store.find,
    confirm: (
      newestDay: number,
      minutes: number,
      { origin = ORIGIN } = {},
    ) => {
      const readAt = AT + minutes * MINUTE_MS;
      return store.confirm({ newestDay, readAt, origin });
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("publicationStore records when a day was first read, last read, and not yet published", async () => {
  using store = await inMemory();
  assertEquals(await store.find(), null);
  await store.confirm(100, 0);
  await store.confirm(100, 10);
  await store.confirm(101, 20);
  await store.confirm(101, 30);
  assertEquals(await store.find(), {
    newestDay: 101,
    publishedAt: AT + 20 * MINUTE_MS,
    confirmedAt: AT + 30 * MINUTE_MS,
    unpublishedAt: AT + 10 * MINUTE_MS,
    previousAt: AT,
    origin: ORIGIN,
  });
});

Deno.test("publicationStore keeps the newest day and the last read if reads arrive out of order", async () => {
  using store = await inMemory();
  await store.confirm(101, 20);
  const after = await store.confirm(101, 30);
  assertEquals(await store.confirm(101, 29.5), after);
  assertEquals(await store.confirm(100, 29.5), after);
});

Deno.test("publicationStore follows withdrawn days of the canary, and their return is a publication", async () => {
  using store = await inMemory();
  await store.confirm(101, 20);
  const withdrawn = await store.confirm(86, 30);
  assertEquals(withdrawn.newestDay, 86);
  assertEquals(withdrawn.publishedAt, AT + 20 * MINUTE_MS, "no publication");
  assertEquals(withdrawn.confirmedAt, AT + 30 * MINUTE_MS);
  const returned = await store.confirm(101, 40);
  assertEquals(returned.newestDay, 101);
  assertEquals(returned.publishedAt, AT + 40 * MINUTE_MS);
});

Deno.test("publicationStore records one publication if several processes read it at once", async () => {
  using store = await inMemory();
  await store.confirm(100, 0);
  await Promise.all(
    Array.from({ length: 8 }, (_, nth) => store.confirm(101, 10 + nth / 8)),
  );
  const { newestDay, confirmedAt, previousAt } = (await store.find())!;
  assertEquals([newestDay, previousAt], [101, AT]);
  assertEquals(confirmedAt, AT + 10.875 * MINUTE_MS);
});

Deno.test("publicationStore begins anew for another upstream and after the clock was set back", async () => {
  using store = await inMemory();
  await store.confirm(101, 60);
  const moved = await store.confirm(90, 61, {
    origin: "http://other.test",
  });
  assertEquals([moved.newestDay, moved.previousAt], [90, null]);
  const earlier = await store.confirm(90, 0, {
    origin: "http://other.test",
  });
  assertEquals([earlier.publishedAt, earlier.confirmedAt], [AT, AT]);
});

Deno.test("an older day replaces the newest one only if it was read later, at each boundary", async () => {
  for (
    const [newestDay, minutes, expected] of [
      [100, 30, 101],
      [100, 30.01, 100],
      [101, 30, 101],
      [102, 29, 102],
    ] as const
  ) {
    using store = await inMemory();
    await store.confirm(101, 30);
    const { newestDay: day, confirmedAt } = await store.confirm(
      newestDay,
      minutes,
    );
    assertEquals(day, expected);
    assertEquals(confirmedAt, AT + Math.max(30, minutes) * MINUTE_MS);
  }
});

Deno.test("a publication that a clock behind reads comes after the reads that did not show it", async () => {
  using store = await inMemory();
  await store.confirm(100, 30);
  const { publishedAt, confirmedAt, unpublishedAt } = await store.confirm(
    101,
    29.5,
  );
  const last = AT + 30 * MINUTE_MS;
  assertEquals([publishedAt, confirmedAt, unpublishedAt], [last, last, last]);
});

Deno.test("a publication begins anew only if it lies ahead by more than the skew of clocks", async () => {
  for (
    const [aheadMs, isKept] of [[CLOCK_SKEW_MS, true], [
      CLOCK_SKEW_MS + 1,
      false,
    ]] as const
  ) {
    using store = await inMemory();
    await store.confirm(100, 0);
    await store.confirm(101, aheadMs / MINUTE_MS);
    const { publishedAt } = await store.confirm(101, 0);
    assertEquals(publishedAt, isKept ? AT + aheadMs : AT);
  }
});
