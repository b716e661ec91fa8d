/** A soak: a world, everybody who visits it for a time, and what it came to. */
import { assertSound } from "../../tests/support/kv/invariants.ts";
import type { BenchCaller } from "../scores/keyed_callers.ts";
import { accountFamilies } from "./account_workloads.ts";
import { hostileFamilies } from "./hostile_workloads.ts";
import { jobFamily } from "./job_workload.ts";
import { keyedFamilies } from "./keyed_workloads.ts";
import { heapSamples, type Sample, type watchMemory } from "./memory.ts";
import { openFamilies } from "./open_workloads.ts";
import { type FamilyReport, openTally } from "./tally.ts";
import { receive } from "./client.ts";
import { buildWorld } from "./environment.ts";

/** What a soak came to. */
export interface Soak {
  readonly families: readonly FamilyReport[];
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
  await using world = await buildWorld(CALLERS);
  const { services, publicUrl, callers } = world;
  const tally = openTally();
  const over = AbortSignal.timeout(ms);
  const families = [
    ...openFamilies(world),
    ...keyedFamilies(world, tally),
    ...accountFamilies(world, over),
    ...await hostileFamilies(world, over),
    jobFamily(world),
  ];
  const urls = services.map(({ url }) => url);
  const [memory] = await Promise.all([
    watch(services, over),
    receive(families, { urls, publicUrl, tally }, over),
  ]);
  await assertSound(world.kv, Date.now())
    .catch((error) => tally.wrong("the store, at the end", error));
  const usage = await readUsage(urls[0]!, callers);
  const answered = callers.map(({ wallet }) => tally.units.get(wallet) ?? 0);
  return {
    families: tally.report(),
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
