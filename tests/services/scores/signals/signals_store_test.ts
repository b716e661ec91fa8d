import { assert, assertEquals } from "@std/assert";
import { serialize } from "node:v8";
import type { Cohort } from "../../../../services/scores/signals/cohort.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_USE,
} from "../../../../services/model/signals.ts";
import {
  packDays,
  signalStore,
} from "../../../../services/scores/signals/signals_store.ts";
import { packTimestamps } from "../../../../services/platform/bytes.ts";
import { openStores } from "../../../../services/stores.ts";

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
  assertEquals(await store.findAll([ADDRESS]), [null]);
  const stored = { signals: signals(), origin };
  const put = await store.put(ADDRESS.replace("aa", "AA"), stored);
  assertEquals(put, stored.signals);
  assertEquals(await store.findAll([ADDRESS]), [stored]);
  const empty = signals({ firstTxAt: null, recentTxAt: [], nonce: 0 });
  await store.put("0xbb", { signals: empty, origin });
  assertEquals((await store.findAll(["0xbb"]))[0]!.signals, empty);
});

/** The record of the format before: gas by day in nAVAX, and nothing from before the first use. */
const EARLIER = {
  firstTxAt: NOW - 40 * DAY,
  nonce: 3,
  gasAvax: 0.0525,
  funding: null,
  sweptTo: null,
  alike: 7.5,
  isContract: false,
  isPartial: false,
  fetchedAt: NOW,
  origin,
  use: {
    count: 3,
    months: 2,
    slots: 3,
    targets: 2,
    methods: 1,
    topTargetShare: 0.5,
    valueShare: 1,
    hourEntropy: 0.2,
    gapEntropy: 0,
  },
  days: packDays([
    { day: 20_777, gasUnits: 50_000_000, varied: 2 },
    { day: 20_737, gasUnits: 100_000, varied: 1 },
  ]),
  recentTx: packTimestamps([NOW, NOW - 40 * DAY]),
  isCut: false,
};

Deno.test("an earlier record is read with estimated units of gas, as unknown where it says nothing, and is replaced by the next read", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  await kv.set(["signals", ADDRESS], EARLIER);
  const [found] = await store.findAll([ADDRESS]);
  assertEquals(found!.isEarlier, true);
  const { origin: before, alike, use, gasAvax } = found!.signals;
  assertEquals([before, alike, gasAvax], [null, 0, 0.0525]);
  assertEquals(use, {
    count: 3,
    days: [
      { day: 20_777, gasUnits: 2_000_000, varied: 2 },
      { day: 20_737, gasUnits: 21_000, varied: 1 },
    ],
  });
  const whole = signals({ use: { count: 2, days: [] } });
  await store.put(ADDRESS, { signals: whole, origin });
  const [next] = await store.findAll([ADDRESS]);
  assertEquals(next, { signals: whole, origin });
});

Deno.test("a thousand transactions take 3 KiB of the 64 that a value may have", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const recentTxAt = Array.from(
    { length: 1000 },
    (_, index) => 1_795_248_000_000 - index * 1_234_000,
  );
  await store.put(ADDRESS, { signals: signals({ recentTxAt }), origin });
  assertEquals(
    (await store.findAll([ADDRESS]))[0]!.signals.recentTxAt,
    recentTxAt,
  );
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
    assertEquals(await store.findAll([ADDRESS]), [isPut ? next : held], name);
  }
});

/** Records the expiry of the last write of a collection. */
function tapExpiry(kv: Deno.Kv, collection: string) {
  const tapped = { expireIn: undefined as number | undefined };
  const { atomic } = kv;
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const { set } = operation;
    operation.set = (key, value, options) => {
      if (key[0] === collection) tapped.expireIn = options?.expireIn;
      return set.call(operation, key, value, options);
    };
    return operation;
  };
  return tapped;
}

Deno.test("put keeps signals for 180 days, and those that cannot be read again for two years", async () => {
  const cases: readonly [Partial<ChainSignals>, days: number][] = [
    [{ nonce: 2, use: { ...NO_USE, count: 2 } }, 180],
    [{ nonce: 3, use: { ...NO_USE, count: 2 } }, 730],
    [{ nonce: 0, isPartial: true }, 730],
  ];
  for (const [fields, days] of cases) {
    using kv = await Deno.openKv(":memory:");
    const tapped = tapExpiry(kv, "signals");
    const put = { signals: signals(fields), origin };
    await signalStore(kv).put(ADDRESS, put);
    assertEquals(tapped.expireIn, days * DAY);
  }
});

Deno.test("an import keeps what two cut reads show of a whole history as long as the put did", async () => {
  using kv = await Deno.openKv(":memory:");
  const tapped = tapExpiry(kv, "signals");
  const dayOf = (day: number) => ({ day, gasUnits: 40_000, varied: 2 });
  const reads = [{ fetchedAt: NOW, day: 20_000 }, {
    fetchedAt: NOW + 1,
    day: 20_001,
  }];
  for (const { fetchedAt, day } of reads) {
    const use = { ...NO_USE, count: 2, days: [dayOf(day)] };
    const read = signals({ nonce: 4, fetchedAt, use });
    await signalStore(kv).put(ADDRESS, { signals: read, origin });
  }
  const { entries, signals: store } = openStores(kv);
  const [found] = await store.findAll([ADDRESS]);
  assertEquals(found?.signals.use.count, 4);
  const written = tapped.expireIn;
  const all = await Array.fromAsync(entries.list());
  await entries.put(all, { isCurrent: true });
  assertEquals([written, tapped.expireIn], [730 * DAY, 730 * DAY]);
});

Deno.test("countPuts counts what was stored of each address, and not what was refused", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const put = (address: string, fetchedAt: number) =>
    store.put(address, { signals: signals({ fetchedAt }), origin });
  assertEquals(store.countPuts(ADDRESS), 0);
  for (const fetchedAt of [NOW, NOW + 1, NOW - 1]) {
    await put(ADDRESS, fetchedAt);
  }
  await put("0xbb", NOW);
  assertEquals([ADDRESS, "0xbb"].map(store.countPuts), [2, 1]);
});

Deno.test("put joins the cohort of a funder that only an earlier read showed", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const funding = { funder: "0xfe", at: NOW };
  const cut = { nonce: 9, use: { ...NO_USE, count: 2 } };
  const put = (address: string, fields: Partial<ChainSignals>) =>
    store.put(address, { signals: signals({ ...cut, ...fields }), origin });
  await put(ADDRESS, { funding } as never);
  await kv.delete(["cohorts", "0xfe"]);
  const later = { fetchedAt: NOW + 1, funding: null };
  assertEquals((await put(ADDRESS, later))?.funding?.funder, "0xfe");
  const { value } = await kv.get<Cohort>(["cohorts", "0xfe"]);
  assertEquals(value?.members.map(({ address }) => address), [ADDRESS]);
});
