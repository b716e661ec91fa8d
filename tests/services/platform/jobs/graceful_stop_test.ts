import { assert, assertEquals } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import {
  runJob,
  stopGracefully,
} from "../../../../services/platform/jobs/job_run.ts";
import { testDeps } from "../../../support/deps.ts";
import { ownProcess } from "../../../support/jobs.ts";

const LEASE = ["job_leases", "test-job"];

/** A server that answers its last request when `answer` is called. */
function newServer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { shutdown: () => promise, answer: resolve };
}

/** Ends the first wait, after which the server accepts nothing more, and no other. */
function afterDrain() {
  let waits = 0;
  return () => waits++ === 0 ? Promise.resolve() : new Promise<void>(() => {});
}

/** Resolves when the timers and the database had a turn. */
const aTurn = () => new Promise<void>((resolve) => setTimeout(resolve));

Deno.test("stopGracefully() waits for the server and ends a run after its item", async () => {
  using deps = await testDeps();
  const item = Promise.withResolvers<void>();
  const running = runJob(deps, {
    name: "test-job",
    async run(_deps, { proceed }) {
      let items = 0;
      do {
        await item.promise;
        items += 1;
      } while (await proceed());
      return `${items} items`;
    },
  });
  const server = newServer();
  let hasStopped = false;
  const patient = { ...deps, sleep: afterDrain() };
  const stopping = stopGracefully(patient, server)
    .then(() => hasStopped = true);
  server.answer();
  await aTurn();
  assert(!hasStopped, "the run has not ended");
  item.resolve();
  assertEquals((await running).outcome, "1 items");
  await stopping;
  assertEquals((await deps.kv.get(LEASE)).value, null);
});

Deno.test("stopGracefully() waits for an answer although no job runs", async () => {
  using deps = await testDeps();
  const server = newServer();
  let hasStopped = false;
  const patient = { ...deps, sleep: afterDrain() };
  const stopping = stopGracefully(patient, server)
    .then(() => hasStopped = true);
  await aTurn();
  assert(!hasStopped, "a request has no answer yet");
  server.answer();
  await stopping;
});

Deno.test("stopGracefully() gives the lease of a run back that does not end in time", async () => {
  using deps = await testDeps();
  const never = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const running = runJob(deps, {
    name: "test-job",
    run() {
      begun.resolve();
      return never.promise;
    },
  });
  await begun.promise;
  assert((await deps.kv.get(LEASE)).value !== null);
  const asked: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void asked.push(ms));
  await stopGracefully({ ...deps, sleep }, newServer());
  assertEquals((await deps.kv.get(LEASE)).value, null);
  const [drain, calls, patience] = asked as [number, number, number];
  assert(drain < calls && calls < patience, `${asked}`);
  never.resolve("late");
  await running;
});

Deno.test("stopGracefully() ends although a lease cannot be released, since writes follow it", async () => {
  using deps = await testDeps();
  const never = Promise.withResolvers<string>();
  const running = runJob(deps, {
    name: "test-job",
    run: () => never.promise,
  });
  const release = () => Promise.reject(new Error("the database is gone"));
  const store = { ...deps.store, jobs: { ...deps.store.jobs, release } };
  const sleep = () => Promise.resolve();
  while (deps.runningJobs.list().length === 0) await aTurn();
  await stopGracefully({ ...deps, store, sleep }, newServer());
  never.resolve("late");
  await running;
});

Deno.test("stopGracefully() resolves within four seconds, whatever hangs: the platform kills a process after five", async (t) => {
  const never = () => new Promise<never>(() => {});
  const cases = [
    [],
    ["server"],
    ["run"],
    ["writes"],
    ["run", "lease"],
    ["server", "run", "lease", "writes"],
  ];
  for (const hangs of cases) {
    await t.step(hangs.join(", ") || "nothing", async () => {
      const hung = (name: string) => hangs.includes(name);
      using opened = await testDeps();
      const deps = ownProcess(opened);
      const item = Promise.withResolvers<string>();
      const running = runJob(deps, {
        name: "test-job",
        run: () => item.promise,
      });
      while ((await deps.kv.get(LEASE)).value === null) await aTurn();
      if (!hung("run")) item.resolve("");
      const { jobs } = deps.store;
      const release = hung("lease") ? never : jobs.release;
      const store = { ...deps.store, jobs: { ...jobs, release } };
      let writes = 0;
      let tookMs = 0;
      {
        using time = new FakeTime();
        const sleep = (ms: number) =>
          new Promise<void>((resolve) => setTimeout(resolve, ms));
        let isOver = false;
        stopGracefully(
          { ...deps, store, sleep },
          { shutdown: hung("server") ? never : () => Promise.resolve() },
          () => {
            writes++;
            return hung("writes") ? never() : Promise.resolve();
          },
        ).then(() => isOver = true);
        while (!isOver && tookMs < 10_000) {
          await time.tickAsync(100);
          tookMs += 100;
          // The database has a turn.
          await deps.kv.get(LEASE);
        }
      }
      assert(tookMs <= 4_000, `${tookMs} ms`);
      assertEquals(writes, hung("lease") ? 0 : 1);
      item.resolve("");
      await running;
    });
  }
});

Deno.test("a run that is stopped stays unfinished: it is no failure, and another process continues it", async () => {
  using deps = await testDeps();
  const job = {
    name: "test-job",
    async run() {
      await deps.runningJobs.untilStop;
      throw new Error("the wait ended");
    },
  };
  const running = runJob(deps, job);
  while ((await deps.kv.get(LEASE)).value === null) await aTurn();
  await stopGracefully(deps, { shutdown: () => Promise.resolve() });
  const { outcome, error } = await running;
  assertEquals([outcome, error], ["process stops", null]);
  assertEquals((await deps.kv.get(LEASE)).value, null);
  const [run] = await deps.store.jobs.listRuns();
  assertEquals([run!.endedAt, run!.error], [null, null]);
  assertEquals(await deps.store.jobs.listIncidents(), []);
});

Deno.test("runJob() begins no run once the process stops", async () => {
  using deps = await testDeps();
  await deps.runningJobs.stop();
  let runs = 0;
  const run = () => Promise.resolve(`${++runs}`);
  const { outcome } = await runJob(deps, { name: "test-job", run });
  assertEquals([outcome, runs], ["process stops", 0]);
  assertEquals((await deps.kv.get(LEASE)).value, null);
});
