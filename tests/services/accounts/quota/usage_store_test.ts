/**
 * Units that are spent, refused and refunded by concurrent calls; the record as it is
 * stored: nothing of it is lost, and it is small.
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { stub } from "@std/testing/mock";
import { serialize } from "node:v8";
import {
  chargeOf,
  decide,
  NO_USAGE,
  quotaStatusOf,
  type WalletUsage,
} from "../../../../services/accounts/quota/quota.ts";
import { atOnce, tapped } from "../../../support/kv/counted_commits.ts";
import {
  pack,
  pendingRefunds,
  sizeOf,
  unpack,
  usageStore,
  withRefunds,
} from "../../../../services/accounts/quota/usage_store.ts";
import { versionOf } from "../../../support/kv/counters.ts";
import { NOTHING, payerOf } from "../../../support/payers.ts";
import { METERED_NAMES } from "../../../../services/payments/plans_schema.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { instrumentedKv } from "../../../../services/platform/kv/database.ts";
import {
  breakKv,
  DISK_FULL,
  loseOutcome as loseOutcomeOf,
} from "../../../support/kv/faulty_kv.ts";
import { CommitOutcomeUnknown } from "../../../../services/platform/kv/commit.ts";
import { seededRandom } from "../../../support/random.ts";
import { testDeps } from "../../../support/deps.ts";
import { waitUntil } from "../../../support/wait_until.ts";
import { succeed } from "../../../support/jobs.ts";
import { fc } from "../../../support/properties.ts";

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

// How the counts of units are written: transactions, memory, conflicts and the size of a record.

const HOUR = 3_600_000;

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

  // Conflicts are followed by random pauses.
  using _random = stub(Math, "random", () => 0);
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

// Units that are to go back to a wallet while nothing can be written.

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

// Units of commits whose outcome is unknown: a job finds out, and none is lost or charged twice.

const SCALE_CHARGE = {
  ...chargeOf("scale", "score"),
  burst: { requests: 1e6, perMs: 1_000 },
};
const LOST = new Error("connection closed");

/** A database file, and processes on it whose connections a test can break. */
async function openFile() {
  const folder = await Deno.makeTempDir();
  const handles: Deno.Kv[] = [];
  async function start() {
    const kv = await Deno.openKv(`${folder}/kv.sqlite3`);
    handles.push(kv);
    const faults = breakKv(kv);
    const usage = usageStore(kv);
    const spend = () => usage.spend(PAYER, SCALE_CHARGE, NOW);
    return { kv, usage, faults, spend };
  }
  const watcher = await start();
  return {
    start,
    /** What any process reads. */
    async used() {
      const { period, keys } = await watcher.usage.readWallet(PAYER.wallet);
      const sum = (units: readonly number[] = []) =>
        units.reduce((all, each) => all + each, 0);
      const used = sum(period.hours.units);
      assertEquals(sum(period.days.score?.units), used);
      assertEquals(sum(keys[PAYER.originId]?.units), used);
      return used;
    },
    async [Symbol.asyncDispose]() {
      for (const kv of handles) kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

type Process = Awaited<
  ReturnType<Awaited<ReturnType<typeof openFile>>["start"]>
>;

/**
 * Makes a change whose outcome its process never learns. Returns its result if a commit
 * of the process beside it was lost in its place.
 */
async function loseOutcome<T>(
  { kv, faults, usage }: Pick<Process, "kv" | "faults" | "usage">,
  isMade: boolean,
  change: () => Promise<T>,
): Promise<T | undefined> {
  await usage.storeUnsettled();
  return await loseOutcomeOf(kv, faults, { isMade }, change);
}

Deno.test("a charge of unknown outcome is refunded if it was made, however often others have written since", async () => {
  await using file = await openFile();
  const [process, other, third] = [
    await file.start(),
    await file.start(),
    await file.start(),
  ];
  await process.spend();
  await loseOutcome(process, true, process.spend);
  assertEquals(await file.used(), 2, "charged for no answer");
  for (let nth = 0; nth < 20; nth++) await other.spend();
  await process.spend();
  assert(await process.usage.isUnsettled());
  // Several processes run the job at once.
  await Promise.all([other.usage.settle(), third.usage.settle()]);
  assertEquals(await file.used(), 22);
  assertEquals(await process.usage.settle(), 0);
  assertEquals([await file.used(), await process.usage.isUnsettled()], [
    22,
    false,
  ]);
});

Deno.test("as many commits of unknown outcome as come before the job runs are settled", async () => {
  await using file = await openFile();
  const [process, other] = [await file.start(), await file.start()];
  await other.spend();
  for (let nth = 0; nth < 24; nth++) {
    await loseOutcome(process, nth % 3 > 0, process.spend);
  }
  await process.usage.storeUnsettled();
  assertEquals(await file.used(), 17, "charged for no answer");
  assertEquals(await other.usage.settle(), 24);
  assertEquals(await file.used(), 1);
});

Deno.test("units that are settled while a process finds out its own commit stay settled", async () => {
  await using file = await openFile();
  const [first, other] = [await file.start(), await file.start()];
  await loseOutcome(first, true, first.spend);
  await first.usage.storeUnsettled();
  let isLost = false;
  const { kv } = tapped(other.kv, async (commit) => {
    const result = await commit();
    if (isLost) return result;
    isLost = true;
    assertEquals(await first.usage.settle(), 1);
    throw LOST;
  });
  const usage = usageStore(kv);
  for (let nth = 0; nth < 2; nth++) await usage.spend(PAYER, CHARGE, NOW);
  assertEquals(await file.used(), 2);
});

Deno.test("a refund of unknown outcome is made exactly once", async () => {
  for (const isMade of [true, false]) {
    await using file = await openFile();
    const [process, other] = [await file.start(), await file.start()];
    for (let nth = 0; nth < 3; nth++) await process.spend();
    await loseOutcome(
      process,
      isMade,
      () => process.usage.refund(PAYER, SCALE_CHARGE, NOW),
    );
    for (let nth = 0; nth < 5; nth++) await other.spend();
    await process.usage.isUnsettled();
    await other.usage.settle();
    assertEquals(await file.used(), 7, `made: ${isMade}`);
  }
});

Deno.test("a commit that is still under way when its unit is settled is never made", async () => {
  using kv = await Deno.openKv(":memory:");
  const late: (() => Promise<unknown>)[] = [];
  let isLate = true;
  const { kv: slow } = tapped(kv, (commit) => {
    if (!isLate) return commit();
    isLate = false;
    late.push(commit);
    return Promise.reject(new CommitOutcomeUnknown(LOST));
  });
  const process = usageStore(slow);
  await assertRejects(
    () => process.spend(PAYER, SCALE_CHARGE, NOW),
    CommitOutcomeUnknown,
  );
  assert(await process.isUnsettled());
  assertEquals(await usageStore(kv).settle(), 1);
  await late[0]!();
  const { period } = await process.readWallet(PAYER.wallet);
  assertEquals(period.hours.units, []);
});

Deno.test("what a process stores again, after the answer was lost, is settled once", async () => {
  await using file = await openFile();
  const [process, other] = [await file.start(), await file.start()];
  await process.spend();
  await loseOutcome(process, true, process.spend);
  process.faults.lostAnswers = 1;
  await waitUntil(() => process.faults.lostAnswers === 0);
  assertEquals(await other.usage.settle(), 1);
  assertEquals(await file.used(), 1);
  assertEquals(await process.usage.isUnsettled(), false);
  assertEquals(await other.usage.settle(), 0);
  assertEquals(await file.used(), 1);
});

Deno.test("units equal the answered requests, after any faults of three processes", async () => {
  const random = seededRandom("unsettled_units_test");
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!;
  await using file = await openFile();
  let processes = [await file.start(), await file.start(), await file.start()];
  let answered = 0;
  let unknown = 0;
  for (let nth = 0; nth < 400; nth++) {
    const process = pick(processes);
    const kind = random();
    const isMade = random() < 0.5;
    const isAnswered = (decision: unknown) =>
      (decision as { allowed?: boolean } | undefined)?.allowed === true;
    if (kind < 0.55) {
      // A failed request is refunded.
      if (isAnswered(await process.spend())) answered++;
      if (random() < 0.3) {
        answered--;
        const refund = () => process.usage.refund(PAYER, SCALE_CHARGE, NOW);
        if (random() < 0.5) await refund();
        else await loseOutcome(process, isMade, refund);
      }
    } else if (kind < 0.75) {
      const decision = await loseOutcome(process, isMade, process.spend);
      if (decision === undefined) unknown++;
      if (isAnswered(decision)) answered++;
    } else if (kind < 0.8) {
      // A process stops, and another one starts.
      await process.usage.isUnsettled();
      processes = processes.filter((each) => each !== process);
      processes.push(await file.start());
    }
    if (nth % 20 === 0) {
      // As often as the job runs.
      for (const { usage } of processes) await usage.isUnsettled();
      await pick(processes).usage.settle();
    }
  }
  for (const { usage } of processes) await usage.isUnsettled();
  await Promise.all(processes.map(({ usage }) => usage.settle()));
  assert(unknown > 50, String(unknown));
  assertEquals(await file.used(), answered);
});

Deno.test("score-waiting settles units, also of a process that is gone", async () => {
  using deps = await testDeps();
  const faults = breakKv(deps.kv);
  const gone = usageStore(deps.kv);
  const spend = () => gone.spend(PAYER, SCALE_CHARGE, NOW);
  await spend();
  await loseOutcome({ kv: deps.kv, faults, usage: gone }, true, spend);
  await gone.storeUnsettled();
  const words = "0 addresses scored, 0 failed, 1 commits settled";
  assertEquals(await succeed(deps, "score-waiting"), words);
  const { period } = await deps.store.usage.readWallet(PAYER.wallet);
  assertEquals(period.hours.units, [1]);
  assertEquals(await succeed(deps, "score-waiting"), "no address waits");
});

/** Marks of three commits, as large as they come. */
const MARKS = [2 ** 30 - 1, 2 ** 30 - 1, 2 ** 30 - 1];

/** Counters as they come about: their units end with the last slot that counted. */
const counter = fc.record({
  since: fc.nat(500_000),
  units: fc.array(fc.nat(1_500_000), { minLength: 1, maxLength: 40 }),
});

/** Times a few days or many years apart, in any order. */
const log = fc.integer({ min: 2 ** 31, max: 2 ** 42 }).chain((latest) => {
  const far = fc.integer({ min: 2 ** 30, max: latest });
  const near = fc.nat(2 ** 29).map((ms) => latest - ms);
  return fc.array(fc.oneof(far, near), { maxLength: 70 });
});

const usages: fc.Arbitrary<WalletUsage> = fc.record({
  period: fc.record({
    hours: counter,
    days: fc.dictionary(fc.constantFrom(...METERED_NAMES), counter),
  }),
  bursts: fc.dictionary(fc.uuid(), fc.record({ single: log, batch: log }), {
    maxKeys: 5,
  }),
  keys: fc.dictionary(fc.uuid(), counter, { maxKeys: 5 }),
});

Deno.test("unpack() returns the usage that pack() was given", () => {
  fc.assert(fc.property(usages, (usage) => {
    const { period, bursts, keys } = unpack(
      structuredClone(pack(usage, MARKS)),
    );
    assertEquals(period.hours, usage.period.hours);
    assertEquals({ ...period.days }, { ...usage.period.days });
    assertEquals({ ...bursts }, { ...usage.bursts });
    assertEquals({ ...keys }, { ...usage.keys });
  }));
});

Deno.test("a wallet that has nothing stored has spent nothing", () => {
  assertEquals(unpack(null), NO_USAGE);
  assertEquals(unpack(pack(NO_USAGE, MARKS)), NO_USAGE);
});

/** Times of requests that come at the rate of the burst limit. */
const logOf = (length: number) =>
  Array.from({ length }, (_, nth) => 2 ** 40 + 1_009 * nth);

Deno.test("sizeOf() is at least what a record takes, and at most 10 bytes more", () => {
  for (const length of [0, 1, 5, 60]) {
    const id = crypto.randomUUID();
    const days = { since: 20_000, units: [1_000] };
    const record = pack({
      period: {
        hours: { since: 490_000, units: [500, 500] },
        days: { score: days },
      },
      bursts: { [id]: { single: logOf(length), batch: [] } },
      keys: { [id]: days },
    }, MARKS);
    // A copy: after property tests, V8 makes the arrays of `pack()` in a form that takes more.
    const stored = serialize(JSON.parse(JSON.stringify(record)));
    const excess = sizeOf(record) - stored.byteLength;
    assert(excess >= 0 && excess <= 10, `${length} requests: ${excess}`);
  }
});

Deno.test("the largest record of ten keys and 61 counters takes 27 kB of the 64 that a value may have", () => {
  const units = Array<number>(721).fill(1_000);
  const days = Object.fromEntries(
    METERED_NAMES.map((
      name,
    ) => [name, { since: 1, units: units.slice(0, 31) }]),
  );
  const burst = { single: logOf(60), batch: logOf(10) };
  const bursts = Object.fromEntries(
    Array.from({ length: 10 }, () => [crypto.randomUUID(), burst]),
  );
  const keys = Object.fromEntries(
    Array.from({ length: 61 }, () => [
      crypto.randomUUID(),
      { since: 1, units: units.slice(0, 31) },
    ]),
  );
  const period = { hours: { since: 1, units }, days };
  const record = pack({ period, bursts, keys }, MARKS);
  const { byteLength } = serialize(record);
  assert(byteLength < 27_000, `${byteLength} bytes`);
});
