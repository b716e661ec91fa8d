/** Quotes in the store: the newest twenty of seven days. */
import { assertEquals } from "@std/assert";
import type { Quote } from "../../../services/payments/quotes.ts";
import {
  MAX_QUOTES,
  quoteStore,
} from "../../../services/payments/quotes_store.ts";
import { DAY_MS } from "../../../services/platform/days.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const NOW = 100 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

const quoteAt = (createdAt: number): Quote => ({
  id: String(createdAt),
  product: "builder",
  periods: 1,
  slug: null,
  price: 1n,
  amount: 1n,
  createdAt,
  expiresAt: createdAt,
});

const idsOf = (quotes: readonly Quote[]) => quotes.map(({ id }) => Number(id));

Deno.test("list() gives the quotes of the seven days before an instant, oldest first", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, list } = quoteStore(kv);
  assertEquals(await list(WALLET, NOW), []);
  for (const at of [NOW, NOW + 1, NOW + 2]) await add(WALLET, quoteAt(at));
  const last = NOW + WEEK_MS;
  assertEquals(idsOf(await list(WALLET, last - 1)), [NOW, NOW + 1, NOW + 2]);
  assertEquals(idsOf(await list(WALLET, last)), [NOW + 1, NOW + 2]);
  assertEquals(idsOf(await list(WALLET, last + 2)), []);
  assertEquals(await list("0xbb", NOW), []);
});

Deno.test("add() stores a quote once, however often its commit is repeated", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, list } = quoteStore(kv);
  for (const at of [NOW, NOW + 1, NOW]) await add(WALLET, quoteAt(at));
  assertEquals(idsOf(await list(WALLET, NOW)), [NOW + 1, NOW]);
});

Deno.test("add() keeps the newest twenty, and forgets what is too old by its instant", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, list } = quoteStore(kv);
  const times = Array.from({ length: MAX_QUOTES + 1 }, (_, nth) => NOW + nth);
  for (const at of times.slice(0, -1)) await add(WALLET, quoteAt(at));
  assertEquals([MAX_QUOTES, (await list(WALLET, NOW)).length], [20, 20]);
  await add(WALLET, quoteAt(times.at(-1)!));
  assertEquals(idsOf(await list(WALLET, NOW)), times.slice(1));
  const late = NOW + 1 + WEEK_MS;
  await add(WALLET, quoteAt(late));
  assertEquals(idsOf(await list(WALLET, NOW)), [...times.slice(2), late]);
});
