import { assert, assertEquals } from "@std/assert";
import { UPSTREAM_TIMEOUT_MS } from "../../../../services/platform/http/http_client.ts";
import {
  STOP_MS,
  stopGracefully,
} from "../../../../services/platform/jobs/graceful_stop.ts";
import { runJob } from "../../../../services/platform/jobs/job_run.ts";
import { testDeps } from "../../../support/deps.ts";

const LEASE = ["job_leases", "test-job"];

/** A server that answers its last request when `answer` is called. */
function newServer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { shutdown: () => promise, answer: resolve };
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
  const patient = { ...deps, sleep: () => new Promise<void>(() => {}) };
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
  const patient = { ...deps, sleep: () => new Promise<void>(() => {}) };
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
  assert(asked.length === 1 && asked[0]! < STOP_MS, `${asked}`);
  assert(asked[0]! > UPSTREAM_TIMEOUT_MS, "a call of an upstream may end");
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

Deno.test("runJob() begins no run once the process stops", async () => {
  using deps = await testDeps();
  await deps.runningJobs.stop();
  let runs = 0;
  const run = () => Promise.resolve(`${++runs}`);
  const { outcome } = await runJob(deps, { name: "test-job", run });
  assertEquals([outcome, runs], ["process stops", 0]);
  assertEquals((await deps.kv.get(LEASE)).value, null);
});
