/** Score history in the store: a point a day, 90 at most, and when it was last read. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  type ScorePoint,
  unpackHistory,
} from "../../../services/scores/score_history.ts";
import {
  scoreStore,
  waitingScoreStore,
} from "../../../services/scores/scores_store.ts";

const ADDRESS = `0x${"aa".repeat(20)}`;
const READ_AT = 1_795_000_000_000;
const DAY = 20_778;

/** A point whose score stands in every field that has one. */
function pointOf(day: number, score = day % 100): ScorePoint {
  return {
    day,
    headline: score,
    model: "s4-2026.2",
    score,
    tier: "rising",
    breakdown: {
      walletAge: score,
      txActivity: 0,
      gasSpent: 0,
      verifiedSocials: 0,
      followers: 0,
      donations: 0,
      premium: 0,
      paidSlug: 0,
      total: score,
    },
  };
}

/** Opens a store in memory. */
async function open() {
  const kv = await Deno.openKv(":memory:");
  const put = (day: number, score?: number, readAt: number | null = READ_AT) =>
    scoreStore(kv).put(ADDRESS, pointOf(day, score), { readAt });
  const find = () => scoreStore(kv).find(ADDRESS);
  return { kv, put, find, [Symbol.dispose]: () => kv.close() };
}

Deno.test("a day has one point, the last one put", async () => {
  using store = await open();
  await store.put(DAY, 10);
  await store.put(DAY + 1, 20);
  await store.put(DAY, 30);
  await store.put(DAY + 1, 5);
  assertEquals(await store.find(), {
    points: [pointOf(DAY, 30), pointOf(DAY + 1, 5)],
    readAt: READ_AT,
  });
});

Deno.test("the newest 90 points are kept", async () => {
  using store = await open();
  for (let day = 0; day < 95; day++) await store.put(DAY + day);
  const newest = Array.from({ length: 90 }, (_, day) => DAY + day + 5);
  const daysOf = async () => (await store.find())!.points.map(({ day }) => day);
  assertEquals(await daysOf(), newest);
  await store.put(DAY);
  assertEquals(await daysOf(), newest, "an older one has no place");
});

Deno.test("a point that a job stores does not change the time of the last read", async () => {
  using store = await open();
  await store.put(DAY);
  await store.put(DAY + 1, 7, null);
  assertEquals((await store.find())!.readAt, READ_AT);
  await store.put(DAY + 1, 7, READ_AT + DAY_MS);
  assertEquals((await store.find())!.readAt, READ_AT + DAY_MS);
});

Deno.test("a point that is there already is written once a day, and a job writes it no second time", async () => {
  using store = await open();
  const key = ["score_histories", ADDRESS];
  const stamp = async () => (await store.kv.get(key)).versionstamp;
  await store.put(DAY, 7);
  const first = await stamp();
  await store.put(DAY, 7, READ_AT + 1);
  await store.put(DAY, 7, null);
  assertEquals(await stamp(), first);
  await store.put(DAY, 7, READ_AT + DAY_MS);
  const second = await stamp();
  assertNotEquals(second, first, "another day");
  await store.put(DAY, 8, READ_AT + DAY_MS);
  assertNotEquals(await stamp(), second, "another score");
});

Deno.test("an address that only a job scored was never read", async () => {
  using store = await open();
  await store.put(DAY, 7, null);
  assertEquals((await store.find())!.readAt, 0);
});

Deno.test("points put at once are all kept", async () => {
  using store = await open();
  const days = Array.from({ length: 30 }, (_, day) => DAY + day);
  await Promise.all(days.map((day) => store.put(day)));
  assertEquals((await store.find())!.points, days.map((day) => pointOf(day)));
});

Deno.test("all histories are listed with their addresses", async () => {
  using store = await open();
  const { put, list } = scoreStore(store.kv);
  const addresses = Array.from(
    { length: 250 },
    (_, nth) => `0x${nth.toString(16).padStart(40, "0")}`,
  );
  for (const address of addresses) {
    await put(address, pointOf(DAY), { readAt: READ_AT });
  }
  const listed = await Array.fromAsync(list());
  assertEquals(listed.map(({ address }) => address), addresses);
  assertEquals(listed[0], {
    address: addresses[0]!,
    points: [pointOf(DAY)],
    readAt: READ_AT,
  });
});

Deno.test("put() with a history that was found reads nothing, and writes only what changes", async () => {
  using store = await open();
  const { kv } = store;
  const scores = scoreStore(kv);
  await store.put(DAY, 10);
  const found = await scores.findEntry(ADDRESS);
  assertEquals(unpackHistory(found.value), await store.find());
  const asked: string[] = [];
  const { get, atomic } = kv;
  kv.get = ((...args: Parameters<typeof get>) => {
    asked.push("get");
    return get.apply(kv, args);
  }) as typeof get;
  kv.atomic = () => {
    asked.push("commit");
    return atomic.call(kv);
  };
  await scores.put(ADDRESS, pointOf(DAY, 10), { readAt: READ_AT, found });
  assertEquals(asked, []);
  await scores.put(ADDRESS, pointOf(DAY, 11), { readAt: READ_AT, found });
  assertEquals(asked, ["commit"]);
  assertEquals((await store.find())?.points, [pointOf(DAY, 11)]);
  // It has changed since it was found.
  await scores.put(ADDRESS, pointOf(DAY + 1, 12), { readAt: READ_AT, found });
  assertEquals((await store.find())?.points, [
    pointOf(DAY, 11),
    pointOf(DAY + 1, 12),
  ]);
});

const addressOf = (nth: number) => `0x${String(nth).padStart(40, "0")}`;

Deno.test("addresses wait in the order they came, each once", async () => {
  using kv = await Deno.openKv(":memory:");
  const waiting = waitingScoreStore(kv);
  assertEquals(await waiting.list(), []);
  for (const nth of [2, 1, 2, 3]) await waiting.add(addressOf(nth));
  assertEquals(await waiting.list(), [2, 1, 3].map(addressOf));
  await waiting.remove(addressOf(1));
  await waiting.remove(addressOf(7));
  assertEquals(await waiting.list(), [2, 3].map(addressOf));
});

Deno.test("a full list accepts no address until one is removed", async () => {
  using kv = await Deno.openKv(":memory:");
  const waiting = waitingScoreStore(kv);
  let added = 0;
  while (await waiting.add(addressOf(added))) added++;
  assertEquals(added, 500);
  assertEquals((await waiting.list()).length, 500);
  await waiting.remove(addressOf(250));
  assertEquals(await waiting.add(addressOf(added)), true);
});

Deno.test("addresses that are added at once are all kept", async () => {
  using kv = await Deno.openKv(":memory:");
  const waiting = waitingScoreStore(kv);
  const addresses = Array.from({ length: 20 }, (_, nth) => addressOf(nth));
  await Promise.all(addresses.map(waiting.add));
  assertEquals([...await waiting.list()].sort(), addresses);
});
