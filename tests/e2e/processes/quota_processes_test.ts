import { assert, assertEquals } from "@std/assert";
import {
  chargeOf,
  quotaStatusOf,
} from "../../../services/accounts/quota/quota.ts";
import { usageStore } from "../../../services/accounts/quota/usage_store.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { databasePath } from "../../support/kv/hosted.ts";
import {
  kill,
  type Running,
  startProgram,
  until,
} from "../../support/processes/service.ts";
import { payerOf } from "../../support/payers.ts";
import { seededRandom } from "../../support/random.ts";

/** Concurrent callers of each process, and the most calls of one transaction. */
const CALLERS = 16;
const WALLET = `0x${"ab".repeat(20)}`;
const CHARGE = chargeOf("free", "score");
const random = seededRandom("quota_processes_test");

/** Starts a process for each number of calls. All use one wallet and one database, and begin together. */
async function startWorkers(
  stack: AsyncDisposableStack,
  { kvPath, folder }: { kvPath: string; folder: string },
  { calls, pauseMs, cap = 0 }: {
    calls: readonly number[];
    pauseMs: number;
    cap?: number;
  },
): Promise<Running[]> {
  const seed = Math.floor(random() * 2 ** 31);
  const startFile = `${folder}/start`;
  const workers = calls.map((calls, index) => {
    const program = ["run", "-A", "tests/support/processes/quota_worker.ts"];
    const names = [kvPath, startFile, WALLET, `key ${index}`];
    const numbers = [calls, CALLERS, pauseMs, seed + index, cap].map(String);
    return stack.use(startProgram([...program, ...names, ...numbers]));
  });
  for (const worker of workers) await untilPrinted(worker, /ready/);
  await Deno.writeTextFile(startFile, "");
  return workers;
}

/** Waits until the output of a process matches. */
function untilPrinted(worker: Running, pattern: RegExp): Promise<void> {
  return until(worker, () => pattern.test(worker.output()));
}

/** Counts the answers of processes: admitted, refused by period, by cap, by burst, contended. */
function countAnswers(workers: readonly Running[]): number[] {
  const printed = workers.map(({ output }) => output().replace("ready\n", ""));
  return ["a", "p", "k", "b", "c"].map((letter) =>
    printed.join("").split(letter).length - 1
  );
}

/** Reads how many units the store has counted. */
async function countUnits(kvPath: string): Promise<number> {
  using kv = await Deno.openKv(kvPath);
  await assertSound(kv, Date.now());
  const usage = await usageStore(kv).read(payerOf(WALLET, ""));
  const { remaining } = quotaStatusOf(usage, CHARGE, Date.now());
  const { hours, days } = usage.period;
  const sum = (units: readonly number[]) => units.reduce((a, b) => a + b, 0);
  assertEquals(sum(hours.units), CHARGE.limit - remaining);
  assertEquals(sum(days.score!.units), CHARGE.limit - remaining);
  return CHARGE.limit - remaining;
}

Deno.test("four processes with 5,000 calls at a limit of 2,500 admit and count exactly 2,500", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = databasePath(`${folder}/kv.sqlite3`);
  const calls = Array(4).fill(1_250);
  const workers = await startWorkers(stack, { kvPath, folder }, {
    calls,
    pauseMs: 0,
  });
  for (const worker of workers) {
    assertEquals((await worker.process.status).code, 0, worker.output());
    await worker[Symbol.asyncDispose]();
  }
  assertEquals(countAnswers(workers), [2_500, 2_500, 0, 0, 0]);
  assertEquals(await countUnits(kvPath), 2_500);
});

Deno.test("four processes with 1,000 calls by rotations of one key admit exactly its cap of 300", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = databasePath(`${folder}/kv.sqlite3`);
  const calls = Array(4).fill(250);
  const workers = await startWorkers(stack, { kvPath, folder }, {
    calls,
    pauseMs: 0,
    cap: 300,
  });
  for (const worker of workers) {
    assertEquals((await worker.process.status).code, 0, worker.output());
    await worker[Symbol.asyncDispose]();
  }
  assertEquals(countAnswers(workers), [300, 0, 700, 0, 0]);
  assertEquals(await countUnits(kvPath), 300);
});

Deno.test("every call that a killed process answered is counted", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = databasePath(`${folder}/kv.sqlite3`);
  // The first process never ends by itself. The others alone can spend all units.
  const calls = [1e6, 1_250, 1_250, 1_250];
  const workers = await startWorkers(stack, { kvPath, folder }, {
    calls,
    pauseMs: 10,
  });
  const [victim, ...others] = workers;
  // Far below its share of the units: others may be faster, and leave it only a few,
  // or none on a busy machine, which its first refused call shows.
  await untilPrinted(victim!, /(a[^a]*){3}|p/);
  kill(victim!.process, "SIGKILL");
  for (const worker of others) {
    assertEquals((await worker.process.status).code, 0, worker.output());
  }
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  const [killedAfter = NaN] = countAnswers([victim!]);
  const [admitted = NaN, refused = NaN, ...failed] = countAnswers(others);
  assertEquals(failed, [0, 0, 0]);
  assertEquals(admitted + refused, 3_750, "every call has an answer");
  assertEquals(await countUnits(kvPath), 2_500);
  // At most one transaction is counted without a written answer.
  const unwritten = 2_500 - admitted - killedAfter;
  assert(unwritten >= 0 && unwritten <= CALLERS, `${unwritten} units`);
});
