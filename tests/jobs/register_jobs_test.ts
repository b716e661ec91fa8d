import { assert, assertEquals, assertMatch } from "@std/assert";
import { JOBS, runFirstJobs, scheduleJobs } from "../../jobs/register_jobs.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { testDeps } from "../support/deps.ts";

const HOUR_MS = 3_600_000;

Deno.test("JOBS fits Deno Deploy: at most ten crons, short names, weekdays by name", () => {
  assert(JOBS.length <= 10);
  assertEquals(new Set(JOBS.map(({ name }) => name)).size, JOBS.length);
  for (const { name, schedule } of JOBS) {
    assertMatch(name, /^[a-z-]{1,64}$/);
    assertMatch(schedule, /^\S+ \S+ \S+ \S+ (\*|[A-Z]{3}([-,][A-Z]{3})*)$/);
  }
});

/** Registers the jobs with a fake `Deno.cron`. Returns the registrations. */
async function register(
  runsJobs: boolean,
  treasuryAddress: string | null = `0x${"1".repeat(40)}`,
  refusal: Error | null = null,
) {
  const given: {
    name: string;
    schedule: string;
    backoff?: number[];
    run: () => unknown;
  }[] = [];
  const original = Object.getOwnPropertyDescriptor(Deno, "cron")!;
  const cron = (
    name: string,
    schedule: string,
    { backoffSchedule }: { backoffSchedule: number[] },
    run: () => unknown,
  ) => given.push({ name, schedule, backoff: backoffSchedule, run });
  Object.defineProperty(Deno, "cron", { value: cron, configurable: true });
  const deps = await testDeps({ chains: 3 });
  try {
    const opening = refusal === null
      ? Promise.resolve(deps)
      : Promise.reject(refusal);
    opening.catch(() => {});
    scheduleJobs(opening, { runsJobs, treasuryAddress });
  } finally {
    Object.defineProperty(Deno, "cron", original);
  }
  return { deps, given };
}

Deno.test("scheduleJobs() registers every job with its schedule and an explicit backoff", async () => {
  const { deps, given } = await register(true);
  using _ = deps;
  assertEquals(
    given.map(({ name, schedule }) => ({ name, schedule })),
    JOBS.map(({ name, schedule }) => ({ name, schedule })),
  );
  for (const { backoff } of given) assertEquals(backoff, [10_000, 60_000]);
  await given.find(({ name }) => name === "refresh-chains")!.run();
  const [run] = await deps.store.jobs.listRuns();
  assertEquals([run!.job, run!.outcome], ["refresh-chains", "3 chains"]);
});

Deno.test("scheduleJobs() registers no job that has nothing to do by the settings", async () => {
  const { deps, given } = await register(true, null);
  using _ = deps;
  const left = JOBS.map(({ name }) => name)
    .filter((job) => !given.some(({ name }) => name === job));
  assertEquals(left, ["find-payments"]);
});

Deno.test("scheduleJobs() registers jobs without upstream calls on a preview timeline", async () => {
  const { deps, given } = await register(false);
  using _ = deps;
  for (const { run } of given) await run();
  assertEquals(deps.upstreams.metricsApi.calls, []);
});

Deno.test("scheduleJobs() runs nothing, and says nothing again, in a service that refuses to start", async () => {
  const { deps, given } = await register(true, null, new Error("no store id"));
  using _ = deps;
  for (const { run } of given) await run();
  assertEquals(await deps.store.jobs.listRuns(), []);
});

Deno.test("scheduleJobs() records and logs a failed run, and retries it until the next time of its schedule", async () => {
  const { deps, given } = await register(true);
  using _ = deps;
  const { calls, switch: source } = deps.upstreams.metricsApi;
  const startedAt = deps.now().getTime();
  const run = () => given[0]!.run();
  const failures = () =>
    deps.lines.filter((line) => line.includes("job.failed"));
  source.set({ mode: "refuse" });
  await run();
  const [failed] = await deps.store.jobs.listRuns();
  assertEquals(failed!.error, "Cannot read metrics.test: no connection");
  assertEquals(failed!.startedAt - startedAt, 70_000, "after 10 s and 60 s");
  assertEquals(failures().length, 3);
  assert(failures().every((line) => line.includes("refresh-chains")));

  // It is due at two minutes past the hour.
  deps.advance(HOUR_MS + 115_000 - deps.now().getTime() % HOUR_MS);
  const before = calls.length;
  await run();
  assertEquals(calls.length, before + 1, "the schedule is next");

  source.set({ mode: "ok" });
  const again = await runJob(deps, JOBS[0]!);
  assertEquals(again.outcome, "3 chains", "the lease was released");
});

Deno.test("scheduleJobs() retries no run once the process stops", async () => {
  const { deps, given } = await register(true);
  using _ = deps;
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  await deps.runningJobs.stop();
  await given[0]!.run();
  assertEquals(deps.upstreams.metricsApi.calls, []);
});

Deno.test("scheduleJobs() throws nothing, so that the platform prints nothing: a database that fails is one line a run", async () => {
  const { deps, given } = await register(true);
  using _ = deps;
  const everyMinute = given.find(({ name }) => name === "find-payments")!;
  deps.store.jobs.listRuns = () => Promise.reject(new Error("gone"));
  deps.store.jobs.hold = () => Promise.reject(new Error("gone"));
  await everyMinute.run();
  const lines = deps.lines.map((line) => JSON.parse(line));
  assert(lines.length > 0);
  for (const { event, job, error } of lines) {
    assertEquals([event, job], ["job.failed", "find-payments"]);
    assertMatch(JSON.stringify(error), /gone/);
  }
});

Deno.test("scheduleJobs() runs a job that is due once a day again only after a failed run, and on the next day", async () => {
  const { deps, given } = await register(true);
  using _ = deps;
  const run = async () => {
    const { run } = given.find(({ name }) => name === "cross-check")!;
    await run();
    return deps.upstreams.explorer.calls.splice(0).length > 0;
  };
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  await run();
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  deps.advance(6 * HOUR_MS);
  const now = deps.now().getTime();
  for (const job of ["build-downloads", "sample-blocks"]) {
    const done = { startedAt: now, endedAt: now, outcome: "", error: null };
    await deps.store.jobs.end({ job, ...done, items: 0 }, "test");
  }
  assertEquals([await run(), await run()], [true, false]);
  deps.advance(DAY_MS);
  assertEquals([await run(), await run()], [true, false]);
});

Deno.test("a run whose process was killed is taken over within a minute, whatever the schedule of its job, and whenever that is", async (t) => {
  for (const job of ["refresh-chains", "find-payments"]) {
    // Seconds after the minute, at which it last renewed its lease.
    for (const seconds of [0, 16, 59]) {
      await t.step(`${job}, ${seconds} s`, async () => {
        const { deps, given } = await register(true);
        using _ = deps;
        const everyMinute = given
          .filter(({ schedule }) => schedule === "* * * * *");
        const tick = () => Promise.all(everyMinute.map(({ run }) => run()));
        await tick();
        const minute = deps.now().getTime();
        deps.advance(seconds * 1_000);
        const killedAt = deps.now().getTime();
        const run = { endedAt: null, outcome: null, items: 0, error: null };
        assert(
          await deps.store.jobs.hold(job, "killed", {
            now: killedAt,
            forMs: 45_000,
            begins: { job, startedAt: killedAt, ...run },
          }),
        );
        const find = async () =>
          (await deps.store.jobs.listRuns()).find((run) => run.job === job)!;
        for (const after of [1, 2]) {
          deps.advance(minute + after * 60_000 - deps.now().getTime());
          await tick();
          if ((await find()).startedAt > killedAt) break;
        }
        const { startedAt, error } = await find();
        const waitedMs = startedAt - killedAt;
        assert(waitedMs >= 45_000, `${waitedMs} ms: it may have been alive`);
        assert(waitedMs <= 60_000, `${waitedMs} ms`);
        assertEquals(error, null);
      });
    }
  }
});

Deno.test("runFirstJobs() fills a new database at once, and retries a failed job", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  await runFirstJobs(deps, { runsJobs: false });
  assertEquals(await deps.store.jobs.listRuns(), []);
  const config = { runsJobs: true };
  const outcomes = async () => {
    await runFirstJobs(deps, config);
    const runs = await deps.store.jobs.listRuns();
    return Object.fromEntries(
      runs.map(({ job, error }) => [job, error === null]),
    );
  };
  assertEquals((await outcomes())["cross-check"], false);
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  deps.advance(60_000);
  assertEquals(await outcomes(), {
    "cross-check": true,
    "refresh-chains": true,
    "sample-blocks": true,
    "snapshot-validators": true,
  });
  const { startedAt } = (await deps.store.jobs.listRuns())[0]!;
  deps.advance(60_000);
  await outcomes();
  assertEquals((await deps.store.jobs.listRuns())[0]!.startedAt, startedAt);
});
