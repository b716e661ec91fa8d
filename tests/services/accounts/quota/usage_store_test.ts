import { assert, assertEquals, assertRejects } from "@std/assert";
import { serialize } from "node:v8";
import { METERED_NAMES } from "../../../../services/payments/plans_schema.ts";
import {
  chargeOf,
  decide,
  quotaStatusOf,
} from "../../../../services/accounts/quota/quota.ts";
import * as keys from "../../../../services/accounts/keys.ts";
import { usageStore } from "../../../../services/accounts/quota/usage_store.ts";
import { NOTHING, payerOf } from "../../../support/payers.ts";
import { pack } from "../../../../services/accounts/quota/usage_record.ts";

const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const HOUR = 3_600_000;
const PAYER = payerOf("0xaa", "key");
const SINGLE = chargeOf("free", "score");

/** Runs calls at once, in the order of their index. */
const atOnce = <T>(calls: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: calls }, (_, index) => call(index)));

/** A database whose commits go through `onCommit`; counts them and the reads. */
function tapped(
  kv: Deno.Kv,
  onCommit = (
    commit: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
  ) => commit(),
) {
  const counts = { reads: 0, commits: 0 };
  const tap = {
    get: kv.get.bind(kv),
    getMany(...args: Parameters<Deno.Kv["getMany"]>) {
      counts.reads++;
      return kv.getMany(...args);
    },
    atomic() {
      const atomic = kv.atomic();
      const commit = () => Deno.AtomicOperation.prototype.commit.call(atomic);
      return Object.assign(atomic, {
        commit() {
          counts.commits++;
          return onCommit(commit);
        },
      });
    },
  };
  return { kv: tap as unknown as Deno.Kv, counts };
}

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
  // One half after the other, and who is refused by memory is looked up again.
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

Deno.test("what is given back can be spent again, among racing calls too", async () => {
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

Deno.test("many wallets go in two transactions, of as many as one checks", async () => {
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

Deno.test("keys of one wallet go in two transactions too", async () => {
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

Deno.test("what this process remembers costs no read, and a refusal rests on none of it", async () => {
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

Deno.test("after a conflict it is decided again; past the bound nothing is charged, and a refund waits for the next write", async () => {
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

Deno.test("a store that fails fails the waiting calls alone", async () => {
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
  });
  const { byteLength } = serialize(record);
  assert(byteLength < 4_800, `${byteLength} bytes`);
});

Deno.test("a wallet has one record, whatever the number of its keys", async () => {
  using kv = await Deno.openKv(":memory:");
  const usage = usageStore(kv);
  await usage.spend(PAYER, SINGLE, NOW);
  await usage.spend(payerOf(PAYER.wallet, "other"), SINGLE, NOW);
  const records = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(records.map(({ key }) => key), [keys.usage(PAYER.wallet)]);
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
  const { value } = await kv.get(keys.usage("0xbb"));
  assert(serialize(value).byteLength < 65_536 / 2);
});
