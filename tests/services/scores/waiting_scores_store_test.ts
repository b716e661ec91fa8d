/** The short list of addresses that wait to be scored. */
import { assertEquals } from "@std/assert";
import { waitingScoreStore } from "../../../services/scores/waiting_scores_store.ts";

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
