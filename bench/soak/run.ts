/** A soak: a environment, everybody who visits it for a time, and what it came to. */
import { assertSound } from "../../tests/support/kv/invariants.ts";
import type { BenchCaller } from "../scores/keyed_callers.ts";
import { accountWorkloads } from "./account_workloads.ts";
import { hostileWorkloads } from "./hostile_workloads.ts";
import { jobWorkload } from "./job_workload.ts";
import { keyedWorkloads } from "./keyed_workloads.ts";
import { heapSamples, type Sample, type watchMemory } from "./memory.ts";
import { publicWorkloads } from "./public_workloads.ts";
import { openTally, type WorkloadReport } from "./tally.ts";
import { runWorkloads } from "./client.ts";
import { openEnvironment } from "./environment.ts";

/** What a soak came to. */
export interface Soak {
  readonly workloads: readonly WorkloadReport[];
  /** What was wrong, in words: the first of it. */
  readonly troubles: readonly string[];
  /** Errors that the services wrote into their logs. */
  readonly logged: readonly string[];
  /** Units that were answered for, and those that the service has counted. */
  readonly units: { readonly answered: number; readonly counted: number };
  /** Wallets whose units are not exactly what was answered for. */
  readonly miscounted: readonly string[];
  /** Memory of each service, where somebody watched it. */
  readonly memory: readonly {
    readonly process: readonly Sample[];
    readonly heap: readonly Sample[];
  }[];
}

/** Wallets with keys: as many as the load needs for all to stay within their bursts. */
const CALLERS = 240;

/** A line of the log, or of the runtime, that tells of an error. */
const ERROR = /^(?:error: |\{.*"level":"error").*$/gm;

/** How long a soak takes, and who watches memory meanwhile, which takes every permission. */
export interface SoakOptions {
  readonly ms: number;
  readonly watch?: typeof watchMemory;
}

/** Soaks two services. */
export async function soak(
  { ms, watch = () => Promise.resolve([]) }: SoakOptions,
): Promise<Soak> {
  await using environment = await openEnvironment(CALLERS);
  const { services, publicUrl, callers } = environment;
  const tally = openTally();
  const over = AbortSignal.timeout(ms);
  const workloads = [
    ...publicWorkloads(environment),
    ...keyedWorkloads(environment, tally),
    ...accountWorkloads(environment, over),
    ...await hostileWorkloads(environment, over),
    jobWorkload(environment),
  ];
  const urls = services.map(({ url }) => url);
  const [memory] = await Promise.all([
    watch(services, over),
    runWorkloads(workloads, { urls, publicUrl, tally }, over),
  ]);
  await assertSound(environment.kv, Date.now())
    .catch((error) => tally.wrong("the store, at the end", error));
  const usage = await readUsage(urls[0]!, callers);
  const answered = callers.map(({ wallet }) => tally.units.get(wallet) ?? 0);
  return {
    workloads: tally.report(),
    troubles: tally.troubles,
    logged: services.flatMap(({ output }) => output().match(ERROR) ?? []),
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

/** Reads what the wallet of each caller has spent, as the service tells it. */
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
