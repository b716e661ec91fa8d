/** Units that are spent, refused and refunded by concurrent calls. */
import { assert, assertEquals } from "@std/assert";
import {
  chargeOf,
  quotaStatusOf,
} from "../../../../services/accounts/quota/quota.ts";
import { atOnce, tapped } from "../../../support/kv/counted_commits.ts";
import { usageStore } from "../../../../services/accounts/quota/usage_store.ts";
import { versionOf } from "../../../support/kv/counters.ts";
import { payerOf } from "../../../support/payers.ts";

const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const PAYER = payerOf("0xaa", "key");
const SINGLE = chargeOf("free", "score");

Deno.test("of 100 parallel calls with 60 allowed, 60 are admitted and 40 told to wait", async () => {
  using kv = await Deno.openKv(":memory:");
  const { kv: tap, counts } = tapped(kv);
  const usage = usageStore(tap);
  const answers = await atOnce(
    100,
    (index) => usage.spend(PAYER, SINGLE, NOW + index),
  );
  const refused = answers.filter(({ allowed }) => !allowed);
  assertEquals(answers.map(({ allowed }) => allowed), [
    ...Array(60).fill(true),
    ...Array(40).fill(false),
  ]);
  refused.forEach((refusal, index) => {
    assert(!refusal.allowed && refusal.which === "burst");
    // The first admitted at NOW leaves a minute later.
    assertEquals(refusal.retryAfterMs, 60_000 - 60 - index);
  });
  // Two groups of calls are committed one after the other; calls that memory
  // refuses are read from the store again.
  assertEquals(counts, { reads: 2, commits: 2 });
  const held = await usage.read(PAYER);
  assertEquals(quotaStatusOf(held, SINGLE, NOW + 100).remaining, 2_440);
  assertEquals(held.burst.single.length, 60);
});

Deno.test("a batch of 50 with 12 units left is refused and charges nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const usage = usageStore(kv);
  const charge = { ...chargeOf("builder", "batch", { units: 50 }), limit: 62 };
  await usage.spend(PAYER, charge, NOW);
  const before = await Array.fromAsync(kv.list({ prefix: [] }));
  const other = payerOf(PAYER.wallet, "another");
  for (const payer of [PAYER, other]) {
    const refusal = await usage.spend(payer, charge, NOW);
    assert(!refusal.allowed && refusal.which === "period");
    assertEquals([refusal.needed, refusal.remaining], [50, 12]);
  }
  const after = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(after, before, "nothing is written, nor for the other key");
  const tooMuch = { ...charge, limit: 49 };
  await usage.spend(payerOf("0xbb", "fresh"), tooMuch, NOW);
  const still = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(still, before, "nor for a fresh wallet");
  const rest = await usage.spend(PAYER, { ...charge, units: 12 }, NOW);
  assert(rest.allowed && rest.quotaStatus.remaining === 0);
});

Deno.test("refunded units can be spent again, also by racing calls", async () => {
  using kv = await Deno.openKv(":memory:");
  const usage = usageStore(kv);
  const charge = { ...SINGLE, limit: 10 };
  const spend = () => usage.spend(PAYER, charge, NOW);
  await atOnce(10, spend);
  assert(!(await spend()).allowed);
  const [refused, , admitted, refusedAgain] = await Promise.all([
    spend(),
    usage.refund(PAYER, charge, NOW),
    spend(),
    spend(),
  ]);
  assertEquals(
    [refused.allowed, admitted.allowed, refusedAgain.allowed],
    [false, true, false],
  );
  const held = await usage.read(PAYER);
  assertEquals(held.period.days.score?.units, [10]);
  assertEquals(held.burst.single.length, 11, "the burst keeps the request");
});

Deno.test("the rotations of a key share its cap, a batch of too many units is refused whole, and refunds can be spent again", async () => {
  using kv = await Deno.openKv(":memory:");
  const stores = [usageStore(kv), usageStore(kv)];
  const charge = chargeOf("builder", "batch", { units: 3, cap: 30 });
  const single = chargeOf("builder", "score", { cap: 30 });
  const rotations = ["first", "second", "third"].map((keyId) => ({
    ...payerOf("0xaa", keyId),
    originId: "first",
  }));
  const spend = (nth: number, by = charge) =>
    stores[nth % 2]!.spend(rotations[nth % 3]!, by, NOW);
  const answers = await atOnce(24, (nth) => spend(nth));
  const admitted = answers.filter(({ allowed }) => allowed).length;
  assertEquals(admitted, 10, "10 batches of 3 units");
  for (const refusal of answers.filter(({ allowed }) => !allowed)) {
    assert(!refusal.allowed && refusal.which === "cap", "no other limit");
    assertEquals([refusal.needed, refusal.remaining], [3, 0]);
    assertEquals(refusal.quotaStatus.tighter, "cap");
  }
  // Two units fit, three do not, and nothing of the three is counted.
  await stores[0]!.refund(rotations[0]!, { ...single, units: 2 }, NOW);
  const tooMany = await spend(1);
  assert(!tooMany.allowed && tooMany.which === "cap");
  assertEquals(tooMany.remaining, 2);
  const two = await atOnce(4, (nth) => spend(nth, single));
  assertEquals(two.filter(({ allowed }) => allowed).length, 2);
  const other = await stores[0]!.spend(
    payerOf("0xaa", "of its own"),
    charge,
    NOW,
  );
  assert(other.allowed && other.quotaStatus.cap?.remaining === 27);
  const { keys: counted, period } = await stores[0]!.readWallet("0xaa");
  assertEquals(counted.first?.units, [30]);
  assertEquals(period.hours.units, [33]);
});

Deno.test("spendIf() spends nothing and returns null once a record that it rests on has changed", async () => {
  using kv = await Deno.openKv(":memory:");
  const usage = usageStore(kv);
  const precondition = await versionOf(kv, "revision");
  const spend = () =>
    usage.spendIf([precondition], PAYER, { charge: SINGLE, now: NOW });
  const first = await spend();
  assertEquals(first?.allowed, true);
  await kv.set(precondition.key, 1);
  assertEquals(await spend(), null);
  const held = await usage.read(PAYER);
  assertEquals(quotaStatusOf(held, SINGLE, NOW).remaining, 2_499);
});
