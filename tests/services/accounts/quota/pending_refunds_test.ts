/** Units that are to go back to a wallet while nothing can be written. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import { chargeOf } from "../../../../services/accounts/quota/quota.ts";
import { instrumentedKv } from "../../../../services/platform/kv/instrumented_kv.ts";
import { usageStore } from "../../../../services/accounts/quota/usage_store.ts";
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
