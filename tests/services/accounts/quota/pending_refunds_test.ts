/** Units that are to go back to a wallet while nothing can be written. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  pendingRefunds,
  usageStore,
  withRefunds,
} from "../../../../services/accounts/quota/usage_store.ts";
import { chargeOf } from "../../../../services/accounts/quota/quota.ts";
import { instrumentedKv } from "../../../../services/platform/kv/instrumented_kv.ts";
import type { WalletUsage } from "../../../../services/accounts/quota/wallet_usage.ts";
import { payerOf } from "../../../support/payers.ts";
import { breakKv, DISK_FULL } from "../../../support/kv/faulty_kv.ts";

const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const PAYER = payerOf("0xaa", "key");
const CHARGE = chargeOf("free", "score");

/** A store whose disk a test can fill, and what it has counted. */
async function open() {
  const kv = await Deno.openKv(":memory:");
  const faults = breakKv(kv);
  const usage = usageStore(instrumentedKv(kv, () => {}));
  const spentBy = async (store: typeof usage) => {
    const { period } = await store.readWallet(PAYER.wallet);
    return period.hours.units.reduce((sum, units) => sum + units, 0);
  };
  return {
    usage,
    /** Fills the disk, or makes room. */
    fill: (isFull: boolean) =>
      faults.commits = isFull ? new TypeError(DISK_FULL) : null,
    spend: (now = NOW) => usage.spend(PAYER, CHARGE, now),
    refund: () => usage.refund(PAYER, CHARGE, NOW),
    spent: () => spentBy(usage),
    faults,
    /** What another process reads. */
    stored: () => spentBy(usageStore(kv)),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a refund that cannot be written counts at once, and is written with the next request, once", async () => {
  using store = await open();
  for (let call = 0; call < 3; call++) await store.spend();
  store.fill(true);
  await store.refund();
  assertEquals([await store.spent(), await store.stored()], [2, 3]);
  await assertRejects(() => store.spend(), Fault, "it is full");
  assertEquals(await store.spent(), 2);
  store.fill(false);
  const answers = await Promise.all([store.spend(), store.spend()]);
  assert(answers.every(({ allowed }) => allowed));
  assertEquals([await store.spent(), await store.stored()], [4, 4]);
});

Deno.test("all pending refunds are written together with the next write", async () => {
  using store = await open();
  for (let call = 0; call < 5; call++) await store.spend();
  store.fill(true);
  for (let call = 0; call < 3; call++) await store.refund();
  store.fill(false);
  await store.refund();
  assertEquals([await store.spent(), await store.stored()], [1, 1]);
});

Deno.test("a refused request writes pending refunds, too", async () => {
  using store = await open();
  await store.usage.spend(PAYER, { ...CHARGE, units: CHARGE.limit }, NOW);
  store.fill(true);
  await store.refund();
  store.fill(false);
  const tooMany = { ...CHARGE, units: 2 };
  const answer = await store.usage.spend(PAYER, tooMany, NOW);
  assert(!answer.allowed);
  assertEquals(await store.stored(), CHARGE.limit - 1);
});

Deno.test("a refund is written once, even if the answer of its commit is lost", async () => {
  using store = await open();
  for (let call = 0; call < 3; call++) await store.spend();
  store.faults.lostAnswers = 1;
  await store.refund();
  assertEquals([await store.spent(), await store.stored()], [2, 2]);
  await store.spend();
  assertEquals([await store.spent(), await store.stored()], [3, 3]);
});

Deno.test("a refund whose outcome is unknown is not written again", async () => {
  using store = await open();
  for (let call = 0; call < 3; call++) await store.spend();
  store.faults.lostAnswers = 1;
  const refunding = store.refund();
  store.faults.reads = new Error("gone, too");
  await refunding;
  store.faults.reads = null;
  assertEquals(await store.stored(), 2);
  await store.spend();
  assertEquals(await store.stored(), 3);
});

Deno.test("a unit is refunded while the maximum number of other wallets have pending refunds", async () => {
  using store = await open();
  for (let call = 0; call < 3; call++) await store.spend();
  store.fill(true);
  await Promise.all(Array.from({ length: 10_000 }, (_, nth) => {
    const payer = payerOf(`0x${nth}`, "key");
    return store.usage.refund(payer, CHARGE, NOW);
  }));
  store.fill(false);
  await store.refund();
  assertEquals(await store.stored(), 2);
});

const refundOf = (units: number, originId = "origin") => ({
  charge: { endpoint: "score", units } as const,
  originId,
  spentAt: 101 * DAY_MS,
});

Deno.test("withRefunds() gives units back to the wallet and the key, if it has a counter", () => {
  const usage: WalletUsage = {
    period: {
      hours: { since: 101 * 24, units: [9] },
      days: { score: { since: 101, units: [9] } },
    },
    bursts: {},
    keys: { origin: { since: 100, units: [4, 5] } },
  };
  assertStrictEquals(withRefunds(usage, []), usage);
  const refunds = [refundOf(2), refundOf(1, "gone"), refundOf(1)];
  assertEquals(withRefunds(usage, refunds), {
    period: {
      hours: { since: 101 * 24, units: [5] },
      days: { score: { since: 101, units: [5] } },
    },
    bursts: {},
    keys: { origin: { since: 100, units: [4, 2] } },
  });
});

Deno.test("pendingRefunds() holds the last 1,000 refunds of 10,000 wallets, and gives them out once", () => {
  const pending = pendingRefunds();
  const [one, two] = [refundOf(1), refundOf(2)];
  for (let nth = 0; nth < 10_000; nth++) pending.add(`none ${nth}`, []);
  pending.add("a", [one]);
  pending.add("a", [two]);
  assertEquals(pending.list("a"), [one, two]);
  assertEquals(pending.take("a"), [one, two]);
  assertEquals([pending.take("a"), pending.list("a")], [[], []]);
  pending.add("a", [one, ...Array(999).fill(two)]);
  assertEquals(pending.list("a")[0], one);
  pending.add("a", [two]);
  assertEquals(pending.list("a"), Array(1_000).fill(two));
  for (let nth = 1; nth < 10_000; nth++) pending.add(`w${nth}`, [one]);
  assertEquals(pending.list("w9999"), [one]);
  pending.add("one more", [one]);
  assertEquals(pending.list("one more"), []);
  pending.add("w1", [two]);
  assertEquals(pending.list("w1"), [one, two]);
  pending.take("w1");
  pending.add("one more", [one]);
  assertEquals(pending.list("one more"), [one]);
});
