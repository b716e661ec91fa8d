/** Runs of jobs: who holds the lease, for how long, and whose record stays. */
import { assertEquals } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import {
  isDoneToday,
  type Job,
  runJob,
  runningJobs,
} from "../../../../services/platform/jobs/job_run.ts";
import { upstreamDown } from "../../../../services/platform/fault.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

const NAME = "test-job";

/** Longer than a lease. The timer that renews it is real, so a test's clock passes it. */
const ITEM_MS = 60_000;

/** The dependencies of another process on the same database. */
function otherProcess(deps: TestDeps): TestDeps {
  return { ...deps, runningJobs: runningJobs() };
}

const noop: Job<TestDeps> = { name: NAME, run: () => Promise.resolve("done") };

/** Starts a run and waits until it is in the middle of its work. */
async function startRun(deps: TestDeps) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const ended = runJob(deps, {
    name: NAME,
    async run(_deps, { proceed }) {
      begun.resolve();
      await end.promise;
      return await proceed() ? "went on" : "stopped";
    },
  });
  await begun.promise;
  return { ended, end: end.resolve };
}

async function recordOf(deps: TestDeps) {
  return (await deps.store.jobs.listRuns()).find(({ job }) => job === NAME);
}

Deno.test("leave() records the due items that a run leaves for the next one, until one leaves none", async () => {
  using deps = await testDeps();
  const leaving = (items: number): Job<TestDeps> => ({
    name: NAME,
    run(_deps, { leave }) {
      leave!(items);
      return Promise.resolve("done");
    },
  });
  await runJob(deps, leaving(3));
  assertEquals((await recordOf(deps))?.left, 3);
  await runJob(deps, leaving(0));
  assertEquals((await recordOf(deps))?.left, undefined);
});

Deno.test("proceed() renews the lease: a run that makes progress keeps others out for longer than one lease", async () => {
  using deps = await testDeps();
  const others: unknown[] = [];
  const { outcome, items } = await runJob(deps, {
    name: NAME,
    async run(_deps, { proceed }) {
      for (let nth = 0; nth < 4; nth++) {
        deps.advance(40_000);
        others.push((await runJob(otherProcess(deps), noop)).outcome);
        if (!await proceed()) return "stopped";
      }
      return "worked";
    },
  });
  assertEquals([outcome, items], ["worked", 4]);
  assertEquals(others, Array(4).fill("runs already"));
  assertEquals((await runJob(deps, noop)).outcome, "done", "it was released");
});

Deno.test("a run that was silent for a whole lease stops, and changes neither the record nor the lease of its successor", async () => {
  using deps = await testDeps();
  const first = await startRun(deps);
  deps.advance(ITEM_MS);
  const second = await startRun(otherProcess(deps));
  const record = await recordOf(deps);
  assertEquals(record!.startedAt, deps.now().getTime());
  first.end();
  assertEquals((await first.ended).outcome, "stopped");
  assertEquals(await recordOf(deps), record);
  assertEquals((await runJob(deps, noop)).outcome, "runs already");
  second.end();
  assertEquals((await second.ended).outcome, "went on");
  assertEquals((await recordOf(deps))!.outcome, "went on");
});

Deno.test("a run ends after 50 minutes, before the next hourly one", async () => {
  using deps = await testDeps();
  const { items } = await runJob(deps, {
    name: NAME,
    async run(_deps, { proceed }) {
      do deps.advance(ITEM_MS); while (await proceed());
      return "stopped";
    },
  });
  assertEquals(items * ITEM_MS, 50 * 60_000);
});

Deno.test("the log says how a run ended, failed or was skipped, and the record names a fault, but no bug", async () => {
  using deps = await testDeps();
  const logged: unknown[] = [];
  const log = (event: string, facts: unknown) => logged.push([event, facts]);
  const run = async (work: Job<TestDeps>["run"]) => {
    await runJob({ ...deps, log } as TestDeps, { name: NAME, run: work });
    return (await recordOf(deps))!.error;
  };
  const done = await run(async (_deps, { proceed }) => {
    deps.advance(7);
    await proceed();
    return "done";
  });
  const bug = new TypeError("a bug");
  const down = upstreamDown("up.test", "no connection");
  assertEquals([done, await run(() => Promise.reject(bug))], [
    null,
    "internal error",
  ]);
  assertEquals(
    await run(() => Promise.reject(down)),
    "Cannot read up.test: no connection",
  );
  const other = await startRun(deps);
  await run(() => Promise.resolve("never"));
  const facts = { job: NAME, items: 0, ms: 0 };
  assertEquals(logged, [
    ["job.ended", { job: NAME, items: 1, ms: 7, outcome: "done" }],
    ["job.failed", { ...facts, error: bug }],
    ["job.failed", { ...facts, error: down }],
    ["job.skipped", { job: NAME }],
  ]);
  other.end();
  await other.ended;
});

Deno.test("a run that waits renews its lease by a timer, so that only a dead process is replaced", async () => {
  using deps = await testDeps();
  using time = new FakeTime();
  const run = await startRun(deps);
  for (let nth = 0; nth < 4; nth++) {
    deps.advance(40_000);
    await time.tickAsync(15_000);
    // The renewal takes a read and a commit.
    for (let nth = 0; nth < 4; nth++) await deps.kv.get(["turn"]);
    const other = await runJob(otherProcess(deps), noop);
    assertEquals(other.outcome, "runs already");
  }
  run.end();
  assertEquals((await run.ended).outcome, "went on");
});

Deno.test("a job that has nothing to do writes once in five minutes, and not while another process runs it", async () => {
  using deps = await testDeps();
  const idle = {
    ...noop,
    findIdle: () => Promise.resolve("nothing is due"),
  };
  let writes = 0;
  const { atomic } = deps.kv;
  deps.kv.atomic = () => (writes++, atomic.call(deps.kv));
  assertEquals((await runJob(deps, idle)).outcome, "nothing is due");
  assertEquals(writes, 1);
  assertEquals((await recordOf(deps))!.outcome, "nothing is due");
  for (let minute = 1; minute < 5; minute++) {
    deps.advance(60_000);
    assertEquals((await runJob(deps, idle)).outcome, "nothing is due");
  }
  assertEquals(writes, 1);
  deps.advance(60_000);
  await runJob(deps, idle);
  assertEquals(writes, 2);
  assertEquals(
    (await recordOf(deps))!.startedAt,
    deps.now().getTime(),
    "the status sees that it runs",
  );
  deps.advance(300_000);
  const other = await startRun(otherProcess(deps));
  assertEquals((await runJob(deps, idle)).outcome, "runs already");
  other.end();
  await other.ended;
});

// Whether the one run of a day is done.

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

Deno.test("isDoneToday() is true after a run that began today, ended and succeeded", () => {
  const now = at("21T09:20");
  const run = (startedAt: number, endedAt: number | null, error?: string) => ({
    startedAt,
    endedAt,
    error: error ?? null,
  });
  const began = at("21T00:00");
  assertEquals(isDoneToday(undefined, now), false);
  assertEquals(isDoneToday(run(began, began + 1), now), true);
  assertEquals(isDoneToday(run(began, null), now), false, "runs, or was lost");
  assertEquals(isDoneToday(run(began, began + 1, "no"), now), false);
  assertEquals(isDoneToday(run(began - 1, began + 1), now), false, "yesterday");
});
