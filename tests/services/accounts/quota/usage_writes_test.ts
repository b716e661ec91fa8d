/** How the counts of units are written: transactions, memory, conflicts and the size of a record. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { serialize } from "node:v8";
import { METERED_NAMES } from "../../../../services/payments/plans_schema.ts";
import { chargeOf, decide } from "../../../../services/accounts/quota/quota.ts";
import { atOnce, tapped } from "../../../support/kv/counted_commits.ts";
import { usageStore } from "../../../../services/accounts/quota/usage_store.ts";
import { NOTHING, payerOf } from "../../../support/payers.ts";
import { pack } from "../../../../services/accounts/quota/usage_record.ts";

const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const HOUR = 3_600_000;
const PAYER = payerOf("0xaa", "key");
const SINGLE = chargeOf("free", "score");

Deno.test("calls of many wallets are written in two transactions, each with as many records as one may check", async () => {
  using kv = await Deno.openKv(":memory:");
  const { kv: tap, counts } = tapped(kv);
  const usage = usageStore(tap);
  const spend = (index: number) =>
    usage.spend(
      payerOf(`0x${index}`, `key ${index}`),
      SINGLE,
      NOW + index,
    );
  await atOnce(50, spend);
  assertEquals(counts, { reads: 6, commits: 2 });
  await atOnce(250, spend);
  assertEquals(counts.commits, 2 + 3);
  const records = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(records.length, 250);
  const stamps = new Set(records.map(({ versionstamp }) => versionstamp));
  assertEquals(stamps.size, 3);
  for (const index of [0, 49, 249]) {
    const held = await usage.read(payerOf(`0x${index}`, `key ${index}`));
    assertEquals(
      held.period.days.score?.units,
      [index < 50 ? 2 : 1],
    );
  }
});

Deno.test("calls with many keys of one wallet are written in two transactions, too", async () => {
  using kv = await Deno.openKv(":memory:");
  const { kv: tap, counts } = tapped(kv);
  const usage = usageStore(tap);
  await atOnce(
    100,
    (index) => usage.spend(payerOf(PAYER.wallet, `key ${index}`), SINGLE, NOW),
  );
  assertEquals(counts.commits, 2);
  const { period } = await usage.readWallet(PAYER.wallet);
  assertEquals(period.days.score?.units, [100]);
});

Deno.test("remembered usage costs no read, and a refusal never relies on it", async () => {
  using kv = await Deno.openKv(":memory:");
  const { kv: tap, counts } = tapped(kv);
  const [usage, elsewhere] = [usageStore(tap), usageStore(kv)];
  const charge = { ...SINGLE, limit: 3 };
  const spend = () => usage.spend(PAYER, charge, NOW);
  await spend();
  await spend();
  assertEquals(counts, { reads: 1, commits: 2 });
  await elsewhere.spend(payerOf(PAYER.wallet, "other"), charge, NOW);
  assert(!(await spend()).allowed, "the unit spent elsewhere is counted");
  await elsewhere.refund(PAYER, charge, NOW);
  assert((await spend()).allowed);
  await elsewhere.refund(PAYER, charge, NOW);
  assert((await spend()).allowed, "what was given back elsewhere is found");
});

Deno.test("after a conflict a call is decided again; after too many conflicts nothing is charged, and a refund waits for the next write", async () => {
  using kv = await Deno.openKv(":memory:");
  const outcomes: (() => Promise<Deno.KvCommitError>)[] = [
    () => Promise.resolve({ ok: false }),
    () => Promise.reject(new TypeError("database is locked")),
  ];
  const twice = outcomes.values();
  const { kv: tap, counts } = tapped(
    kv,
    (commit) => (twice.next().value ?? commit)(),
  );
  assert((await usageStore(tap).spend(PAYER, SINGLE, NOW)).allowed);
  assertEquals(counts.commits, 3);

  let isContended = true;
  const lose = outcomes[0]!;
  const never = usageStore(
    tapped(kv, (commit) => isContended ? lose() : commit()).kv,
  );
  const [refusal] = await Promise.all([
    never.spend(PAYER, SINGLE, NOW),
    never.refund(PAYER, SINGLE, NOW),
  ]);
  assertEquals(refusal, { allowed: false, which: "contended" });
  const { period } = await usageStore(kv).readWallet(PAYER.wallet);
  assertEquals(period.days.score?.units, [1]);

  isContended = false;
  await never.spend(PAYER, SINGLE, NOW);
  const after = await usageStore(kv).read(PAYER);
  assertEquals(after.period.days.score?.units, [1], "one more, one refunded");
});

Deno.test("an error of the store fails only the waiting calls", async () => {
  using kv = await Deno.openKv(":memory:");
  let isDown = true;
  const { kv: tap } = tapped(
    kv,
    (commit) => isDown ? Promise.reject(new Error("unreachable")) : commit(),
  );
  const usage = usageStore(tap);
  const spend = () => usage.spend(PAYER, SINGLE, NOW);
  await Promise.all([
    assertRejects(spend, Error, "unreachable"),
    assertRejects(spend, Error, "unreachable"),
  ]);
  isDown = false;
  const answer = await spend();
  assertEquals(answer.allowed && answer.quotaStatus.remaining, 2_499);
});

Deno.test("the largest records are small", () => {
  let usage = NOTHING;
  for (let hour = 0; hour < 800; hour++) {
    for (const endpoint of METERED_NAMES) {
      const charge = chargeOf("scale", endpoint, { units: 520 });
      usage = decide(usage, charge, NOW + hour * HOUR).usage;
    }
  }
  for (let second = 0; second < 60; second++) {
    const endpoint = second < 10 ? "batch" : "score";
    const charge = { ...chargeOf("scale", endpoint), limit: Infinity };
    for (const name of [endpoint, "score"] as const) {
      const at = NOW + 800 * HOUR + second * 1_000;
      usage = decide(usage, { ...charge, endpoint: name }, at).usage;
    }
  }
  assertEquals(usage.period.hours.units.length, 721);
  const { period, burst, keyDays } = usage;
  const record = pack({
    period,
    bursts: { [PAYER.keyId]: burst },
    keys: { [PAYER.originId]: keyDays },
  }, [1, 2, 3]);
  const { byteLength } = serialize(record);
  assert(byteLength < 4_800, `${byteLength} bytes`);
});

Deno.test("a wallet has one record, whatever the number of its keys", async () => {
  using kv = await Deno.openKv(":memory:");
  const usage = usageStore(kv);
  await usage.spend(PAYER, SINGLE, NOW);
  await usage.spend(payerOf(PAYER.wallet, "other"), SINGLE, NOW);
  const records = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(records.map(({ key }) => key), [["usage", PAYER.wallet]]);
});

Deno.test("a wallet that takes one new key after the other keeps a small record, and others are served with it", async () => {
  using kv = await Deno.openKv(":memory:");
  const usage = usageStore(kv);
  const scale = chargeOf("scale", "score");
  for (let nth = 0; nth < 600; nth++) {
    const now = NOW + nth * 100;
    const busy = payerOf("0xbb", crypto.randomUUID());
    const other = payerOf("0xcc", `key ${nth % 20}`);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => usage.spend(busy, scale, now)),
      usage.spend(other, scale, now),
    ]);
    assert(answers.every(({ allowed }) => allowed), String(nth));
  }
  const { value } = await kv.get(["usage", "0xbb"]);
  assert(serialize(value).byteLength < 65_536 / 2);
});
