import { assert, assertEquals } from "@std/assert";
import { serialize } from "node:v8";
import {
  type ChainSignals,
  NO_CHAIN,
} from "../../../services/scores/model/signals.ts";
import { signalStore } from "../../../services/scores/signals_store.ts";

const ADDRESS = "0x00000000000000000000000000000000000000aa";
const DAY = 86_400_000;
const NOW = Date.parse("2026-11-21T08:00:00.123Z");
const origin = "http://up.test";

const signals = (fields: Partial<ChainSignals> = {}): ChainSignals => ({
  ...NO_CHAIN,
  firstTxAt: 1_600_858_926_000,
  recentTxAt: [1_795_248_000_000, 1_600_858_926_000],
  nonce: 2,
  gasAvax: 0.001050000000000001,
  isContract: false,
  isPartial: false,
  fetchedAt: NOW,
  ...fields,
});

Deno.test("signals come back as they were put, under the address in lower case", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  assertEquals(await store.find(ADDRESS), null);
  const stored = { signals: signals(), origin };
  const put = await store.put(ADDRESS.replace("aa", "AA"), stored);
  assertEquals(put, stored.signals);
  assertEquals(await store.find(ADDRESS), stored);
  const empty = signals({ firstTxAt: null, recentTxAt: [], nonce: 0 });
  await store.put("0xbb", { signals: empty, origin });
  assertEquals((await store.find("0xbb"))!.signals, empty);
});

Deno.test("a thousand transactions take 3 KiB of the 64 that a value may have", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const recentTxAt = Array.from(
    { length: 1000 },
    (_, index) => 1_795_248_000_000 - index * 1_234_000,
  );
  await store.put(ADDRESS, { signals: signals({ recentTxAt }), origin });
  assertEquals((await store.find(ADDRESS))!.signals.recentTxAt, recentTxAt);
  const [entry] = await Array.fromAsync(kv.list({ prefix: ["signals"] }));
  const bytes = serialize(entry!.value).byteLength;
  assert(bytes < 3 * 1024, `${bytes} bytes`);
});

Deno.test("findAll finds many in their order, those that are not there as null", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const addresses = Array.from({ length: 50 }, (_, index) => `0x${index}`);
  for (const [nonce, address] of addresses.entries()) {
    if (nonce % 3 === 0) continue;
    await store.put(address, { signals: signals({ nonce }), origin });
  }
  const asked = [...addresses, "0x1", "0x1"];
  const nonces = (await store.findAll(asked))
    .map((stored) => stored && stored.signals.nonce);
  const each = addresses.map((_, nonce) => nonce % 3 === 0 ? null : nonce);
  assertEquals(nonces, [...each, 1, 1]);
  assertEquals(await store.findAll([]), []);
});

Deno.test("put() keeps the better signals, and never prefers those of another upstream", async () => {
  const partial = { isPartial: true, nonce: 7 };
  const cases: [
    name: string,
    fields: Partial<ChainSignals>,
    origin: string,
    isPut: boolean,
  ][] = [
    ["a newer whole", { fetchedAt: NOW + 1, nonce: 7 }, origin, true],
    ["an older whole", { fetchedAt: NOW - 1, nonce: 7 }, origin, false],
    ["a part", { ...partial, fetchedAt: NOW + DAY }, origin, false],
    [
      "a part after a week",
      { ...partial, fetchedAt: NOW + 7 * DAY + 1 },
      origin,
      true,
    ],
    ["a part from elsewhere", { ...partial, fetchedAt: 1 }, "http://b", true],
  ];
  for (const [name, fields, origin, isPut] of cases) {
    using kv = await Deno.openKv(":memory:");
    const store = signalStore(kv);
    const held = { signals: signals(), origin: "http://up.test" };
    await store.put(ADDRESS, held);
    const next = { signals: signals(fields), origin };
    const put = await store.put(ADDRESS, next);
    assertEquals(put !== null, isPut, name);
    assertEquals(await store.find(ADDRESS), isPut ? next : held, name);
  }
});
