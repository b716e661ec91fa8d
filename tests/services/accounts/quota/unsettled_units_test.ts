/** Units of commits whose outcome is unknown: a job finds out, and none is lost or charged twice. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { usageStore } from "../../../../services/accounts/quota/usage_store.ts";
import { chargeOf } from "../../../../services/accounts/quota/quota.ts";
import { CommitOutcomeUnknown } from "../../../../services/platform/kv/commit_outcome_unknown.ts";
import {
  breakKv,
  loseOutcome as loseOutcomeOf,
} from "../../../support/kv/faulty_kv.ts";
import { tapped } from "../../../support/kv/counted_commits.ts";
import { payerOf } from "../../../support/payers.ts";
import { seededRandom } from "../../../support/random.ts";
import { testDeps } from "../../../support/deps.ts";
import { waitUntil } from "../../../support/wait_until.ts";
import { succeed } from "../../../support/jobs.ts";

const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const PAYER = payerOf("0xaa", "key");
const CHARGE = {
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
    const spend = () => usage.spend(PAYER, CHARGE, NOW);
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

Deno.test("a charge of unknown outcome that was not made is not refunded", async () => {
  await using file = await openFile();
  const [process, other] = [await file.start(), await file.start()];
  await process.spend();
  await loseOutcome(process, false, process.spend);
  for (let nth = 0; nth < 20; nth++) await other.spend();
  await process.spend();
  assert(await process.usage.isUnsettled());
  assertEquals(await other.usage.settle(), 1);
  assertEquals(await file.used(), 22);
});

Deno.test("a refund of unknown outcome is made exactly once", async () => {
  for (const isMade of [true, false]) {
    await using file = await openFile();
    const [process, other] = [await file.start(), await file.start()];
    for (let nth = 0; nth < 3; nth++) await process.spend();
    await loseOutcome(
      process,
      isMade,
      () => process.usage.refund(PAYER, CHARGE, NOW),
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
    () => process.spend(PAYER, CHARGE, NOW),
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
        const refund = () => process.usage.refund(PAYER, CHARGE, NOW);
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
      // As often as the job runs: a record keeps the marks of eight commits.
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
  const spend = () => gone.spend(PAYER, CHARGE, NOW);
  await spend();
  await loseOutcome({ kv: deps.kv, faults, usage: gone }, true, spend);
  await gone.storeUnsettled();
  const words = "0 addresses scored, 0 failed, 1 commits settled";
  assertEquals(await succeed(deps, "score-waiting"), words);
  const { period } = await deps.store.usage.readWallet(PAYER.wallet);
  assertEquals(period.hours.units, [1]);
  assertEquals(await succeed(deps, "score-waiting"), "no address waits");
});
