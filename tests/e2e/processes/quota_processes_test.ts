import { assert, assertEquals } from "@std/assert";
import {
  chargeOf,
  quotaStatusOf,
} from "../../../services/accounts/quota/quota.ts";
import { usageStore } from "../../../services/accounts/quota/usage_store.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import {
  kill,
  type Running,
  startProgram,
  until,
} from "../../support/processes/service.ts";

/** Callers at once in each process, and so the calls of one transaction at most. */
const CALLERS = 16;
const WALLET = `0x${"ab".repeat(20)}`;
const CHARGE = chargeOf("free", "score");

/** Starts a process for each number of calls, all of one wallet, one file and one instant. */
async function startWorkers(
  stack: AsyncDisposableStack,
  kvPath: string,
  { calls, pauseMs }: { calls: readonly number[]; pauseMs: number },
): Promise<Running[]> {
  const startFile = `${kvPath}.start`;
  const workers = calls.map((calls, index) => {
    const program = ["run", "-A", "tests/support/processes/quota_worker.ts"];
    const names = [kvPath, startFile, WALLET, `key ${index}`];
    const numbers = [calls, CALLERS, pauseMs].map(String);
    return stack.use(startProgram([...program, ...names, ...numbers]));
  });
  for (const worker of workers) await untilSaid(worker, /ready/);
  await Deno.writeTextFile(startFile, "");
  return workers;
}

/** Waits until a process has said something. */
function untilSaid(worker: Running, words: RegExp): Promise<void> {
  return until(worker, () => words.test(worker.output()));
}

/** Counts what processes answered: admitted, refused by period, burst, contended. */
function countAnswers(workers: readonly Running[]): number[] {
  const said = workers.map(({ output }) => output().replace("ready\n", ""));
  return ["a", "p", "b", "c"].map((letter) =>
    said.join("").split(letter).length - 1
  );
}

/** Reads how many units the store has counted. */
async function countUnits(kvPath: string): Promise<number> {
  using kv = await Deno.openKv(kvPath);
  await assertSound(kv, Date.now());
  const usage = await usageStore(kv).read(WALLET);
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
  const kvPath = `${folder}/kv.sqlite3`;
  const calls = Array(4).fill(1_250);
  const workers = await startWorkers(stack, kvPath, { calls, pauseMs: 0 });
  for (const worker of workers) {
    assertEquals((await worker.process.status).code, 0, worker.output());
    await worker[Symbol.asyncDispose]();
  }
  assertEquals(countAnswers(workers), [2_500, 2_500, 0, 0]);
  assertEquals(await countUnits(kvPath), 2_500);
});

Deno.test("of a process killed half way, every call it answered is counted", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = `${folder}/kv.sqlite3`;
  // The first would never end by itself; the others alone can spend all units.
  const calls = [1e6, 1_250, 1_250, 1_250];
  const workers = await startWorkers(stack, kvPath, { calls, pauseMs: 10 });
  const [victim, ...others] = workers;
  // Far from a fair share of the units, so that it gets there on any machine.
  await untilSaid(victim!, /(a[^a]*){50}/);
  kill(victim!.process, "SIGKILL");
  for (const worker of others) {
    assertEquals((await worker.process.status).code, 0, worker.output());
  }
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  const [killedAfter = NaN] = countAnswers([victim!]);
  const [admitted = NaN, refused = NaN, ...failed] = countAnswers(others);
  assertEquals(failed, [0, 0]);
  assertEquals(admitted + refused, 3_750, "none is lost");
  assertEquals(await countUnits(kvPath), 2_500);
  // What the killed one had counted and not yet said is one transaction at most.
  const unsaid = 2_500 - admitted - killedAfter;
  assert(unsaid >= 0 && unsaid <= CALLERS, `${unsaid} units`);
});
