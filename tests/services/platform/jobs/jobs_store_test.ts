import { assert, assertEquals } from "@std/assert";
import { CLOCK_SKEW_MS } from "../../../../services/platform/clock.ts";
import {
  type JobRun,
  jobStore,
} from "../../../../services/platform/jobs/jobs_store.ts";

Deno.test("hold() gives a lease to one holder until it expires or is released", async () => {
  using kv = await Deno.openKv(":memory:");
  const jobs = jobStore(kv);
  const hold = (holder: string, now: number) =>
    jobs.hold("refresh", holder, { now, forMs: 100 });
  assertEquals(await hold("a", 0), true);
  assertEquals(await hold("b", 50), false);
  assertEquals(await hold("a", 50), true, "the holder renews it");
  assertEquals(await hold("b", 120), false);
  assertEquals(await hold("b", 150), true, "it expired at 150");
  await jobs.release("refresh", "a");
  assertEquals(await hold("a", 151), false, "only the holder can release it");
  await jobs.release("refresh", "b");
  assertEquals(await hold("a", 152), true);
});

Deno.test("hold() ignores a lease from before the clock was set back", async () => {
  using kv = await Deno.openKv(":memory:");
  const jobs = jobStore(kv);
  const hour = 3_600_000;
  await jobs.hold("refresh", "a", { now: hour, forMs: 100 });
  assertEquals(await jobs.hold("refresh", "b", { now: 0, forMs: 100 }), true);
});

Deno.test("hold() refuses a lease that ends from a millisecond from now to a minute after a new one, and no other", async () => {
  for (
    const [until, isGiven] of [
      [0, true],
      [1, false],
      [100 + CLOCK_SKEW_MS, false],
      [101 + CLOCK_SKEW_MS, true],
    ]
  ) {
    using kv = await Deno.openKv(":memory:");
    const jobs = jobStore(kv);
    const now = 1_000;
    const forMs = Number(until);
    await jobs.hold("refresh", "a", { now, forMs });
    const held = await jobs.hold("refresh", "b", { now, forMs: 100 });
    assertEquals(held, isGiven, String(until));
  }
});

Deno.test("hold() gives the lease to one of many concurrent callers", async () => {
  using kv = await Deno.openKv(":memory:");
  const jobs = jobStore(kv);
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, holder) =>
        jobs.hold("refresh", String(holder), { now: 0, forMs: 100 }),
    ),
  );
  assertEquals(answers.filter((held) => held).length, 1);
});

Deno.test("listRuns() returns the last run of each job", async () => {
  using kv = await Deno.openKv(":memory:");
  const jobs = jobStore(kv);
  const run = {
    startedAt: 1,
    endedAt: null,
    outcome: null,
    items: 0,
    error: null,
  };
  const begin = (begins: JobRun, holder: string) =>
    jobs.hold(begins.job, holder, { now: 1, forMs: 100, begins });
  assert(await begin({ ...run, job: "a" }, "holder"));
  assert(await begin({ ...run, job: "b" }, "holder"));
  assertEquals([...await jobs.listHeld(100)], [["a", 101], ["b", 101]]);
  const done = { ...run, job: "a", endedAt: 2, outcome: "done" };
  assert(!await begin(done, "other"), "it is held");
  assert(!await jobs.end(done, "other"), "it is held");
  assert(await jobs.end(done, "holder"));
  assertEquals([...(await jobs.listHeld(100)).keys()], ["b"]);
  assertEquals(
    (await jobs.listRuns()).map(({ job, outcome }) => [job, outcome]),
    [
      ["a", "done"],
      ["b", null],
    ],
  );
});

Deno.test("listIncidents() returns the failures of all jobs, newest first", async () => {
  using kv = await Deno.openKv(":memory:");
  const jobs = jobStore(kv);
  const ended = (job: string, startedAt: number, error: string | null) =>
    jobs.end({
      job,
      startedAt,
      endedAt: startedAt + 1,
      outcome: error === null ? "done" : null,
      items: 0,
      error,
    }, "holder");
  await ended("a", 1, "down");
  await ended("b", 5, "slow");
  await ended("a", 10, null);
  await ended("b", 15, "slow");
  assertEquals(await jobs.listIncidents(), [
    { job: "b", from: 5, to: null, failedRuns: 2, error: "slow" },
    { job: "a", from: 1, to: 11, failedRuns: 1, error: "down" },
  ]);
});
