/** A soak: starts the environment, runs all workloads for a time, and collects the results. */
import { assertSound } from "../../tests/support/kv/invariants.ts";
import type { BenchCaller } from "../scores/keyed_callers.ts";
import { accountWorkloads } from "./account_workloads.ts";
import { hostileWorkloads } from "./hostile_workloads.ts";
import { jobWorkload } from "./job_workload.ts";
import { keyedWorkloads } from "./keyed_workloads.ts";
import { heapSamples, type Sample, type watchMemory } from "./memory.ts";
import { publicWorkloads } from "./public_workloads.ts";
import { openTally, type Tally, type WorkloadReport } from "./tally.ts";
import { runWorkloads } from "./client.ts";
import { openEnvironment } from "./environment.ts";

/** The results of a soak. */
export interface Soak {
  readonly workloads: readonly WorkloadReport[];
  /** The first error messages of each workload. */
  readonly problems: readonly string[];
  /** Errors in the logs of the services. */
  readonly logged: readonly string[];
  /** Units of all answers, and units that the service has counted. */
  readonly units: { readonly answered: number; readonly counted: number };
  /** Wallets whose counted units differ from their answers. */
  readonly miscounted: readonly string[];
  /** Memory of each service; empty if it was not measured. */
  readonly memory: readonly {
    readonly process: readonly Sample[];
    readonly heap: readonly Sample[];
  }[];
}

/** Wallets with keys: enough to stay below the burst limit of each key. */
const CALLERS = 240;

/** An error in the log, or from the runtime. */
const ERROR = /^(?:error: |\{.*"level":"error").*$/gm;

/** The health probe reports a database that takes longer than a second: true on an overloaded machine. */
const SLOW_DATABASE = /"route":"\/api\/v1\/health","status":503/;

/** Longest time that a soak continues for workloads without an answer. */
const MAX_EXTRA_MS = 60_000;

const POLL_MS = 100;

/** Duration, and the function that measures memory. Measuring needs all permissions. */
interface SoakOptions {
  readonly ms: number;
  readonly watch?: typeof watchMemory;
}

/** Runs a soak on two services. */
export async function soak(
  { ms, watch = () => Promise.resolve([]) }: SoakOptions,
): Promise<Soak> {
  await using environment = await openEnvironment(CALLERS);
  const { services, publicUrl, callers } = environment;
  const tally = openTally();
  const controller = new AbortController();
  const end = controller.signal;
  const workloads = [
    ...publicWorkloads(environment),
    ...keyedWorkloads(environment, tally),
    ...accountWorkloads(environment, end),
    ...await hostileWorkloads(environment, end),
    jobWorkload(environment),
  ];
  const urls = services.map(({ url }) => url);
  const [memory] = await Promise.all([
    watch(services, end),
    runWorkloads(workloads, { urls, publicUrl, tally }, end),
    untilAllAnswered(tally, ms).then(() => controller.abort()),
  ]);
  await assertSound(environment.kv, Date.now())
    .catch((error) => tally.wrong("store, at the end", error));
  const usage = await readUsage(urls[0]!, callers);
  const answered = callers.map(({ wallet }) => tally.units.get(wallet) ?? 0);
  return {
    workloads: tally.report(),
    problems: tally.problems,
    logged: services.flatMap(({ output }) => output().match(ERROR) ?? [])
      .filter((line) => !SLOW_DATABASE.test(line)),
    units: { answered: sum(answered), counted: sum(usage) },
    miscounted: callers.map(({ wallet }) => wallet)
      .filter((_, nth) => answered[nth] !== usage[nth]),
    memory: memory.map((process, nth) => ({
      process,
      heap: heapSamples(services[nth]!),
    })),
  };
}

const sum = (numbers: readonly number[]) =>
  numbers.reduce((total, each) => total + each, 0);

/** Waits for `ms`, and on a slow machine longer: until every workload has an answer. */
async function untilAllAnswered(tally: Tally, ms: number): Promise<void> {
  await pause(ms);
  for (let waitedMs = 0; waitedMs < MAX_EXTRA_MS; waitedMs += POLL_MS) {
    if (tally.report().every(({ answers }) => answers > 0)) return;
    await pause(POLL_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Reads the units of each caller from the service. */
async function readUsage(
  url: string,
  callers: readonly BenchCaller[],
): Promise<number[]> {
  const used: number[] = [];
  for (const { key } of callers) {
    const headers = { "X-Api-Key": key };
    const response = await fetch(`${url}/api/v1/usage`, { headers });
    used.push((await response.json()).used);
  }
  return used;
}
