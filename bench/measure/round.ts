/** Alternating rounds of load on two servers, with CPU use of server, loader and machine. */
import type { Measurement, Target } from "./measurement.ts";
import { load } from "./load.ts";
import { median } from "./statistics.ts";
import { cpuSeconds, machineCpuSeconds } from "./process_usage.ts";

/** Concurrent connections. */
export const CONNECTIONS = 32;

/** A server and its processes. */
export interface Side {
  readonly url: string;
  readonly pids: readonly number[];
  /** Encoded requests, sent in turn. */
  readonly requests: readonly Uint8Array[];
  /** Connections of the loader, if not as many as usual. */
  readonly connections?: number;
}

/** The result of one round. */
export interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** CPU time of the server per answer. This is the least noisy value. */
  readonly cpuUs: number;
  /** Cores used by the loader. Near one, the loader is the bottleneck. */
  readonly loaderCores: number;
  /** Cores used by other processes. More than a few tenths distort a round. */
  readonly otherCores: number;
}

/** Number and duration of the rounds of each side. */
export interface Plan {
  readonly rounds: number;
  readonly ms: number;
}

/** Returns the plan of a comparison. */
export function planFor({ short }: { readonly short: boolean }): Plan {
  return short ? { rounds: 2, ms: 300 } : { rounds: 12, ms: 800 };
}

/** The results of both sides. */
export interface Rounds {
  readonly ours: readonly Round[];
  readonly peers: readonly Round[];
}

/** Loads two sides in alternating rounds. The first round warms up the compiler and is dropped. */
export async function takeTurns(
  [ours, peer]: readonly [Side, Side],
  { rounds, ms }: Plan,
): Promise<Rounds> {
  const all: Record<keyof Rounds, Round[]> = { ours: [], peers: [] };
  for (let turn = 0; turn <= rounds; turn++) {
    all.ours.push(await takeRound(ours, ms));
    all.peers.push(await takeRound(peer, ms));
  }
  return { ours: all.ours.slice(1), peers: all.peers.slice(1) };
}

/** Returns the medians of both sides. */
function mediansOf(
  { ours, peers }: Rounds,
  key: keyof Round,
): { value: number; peer: number } {
  return {
    value: median(ours.map((round) => round[key])),
    peer: median(peers.map((round) => round[key])),
  };
}

/** Returns requests per second, latency and CPU time, compared with the peer. */
export function compareSides(
  name: string,
  rounds: Rounds,
  target: Readonly<Record<"perSecond" | "p99Ms", Target>>,
): Measurement[] {
  const of = (key: keyof Round) => mediansOf(rounds, key);
  return [
    { name, unit: "/s", ...of("perSecond"), target: target.perSecond },
    {
      name: `${name}, p99`,
      unit: "ms",
      ...of("p99Ms"),
      target: target.p99Ms,
    },
    { name: `${name}, CPU time`, unit: "us", ...of("cpuUs"), target: null },
  ];
}

/** Returns the cores that the loader and other processes used. */
export function coreUsage(
  subject: string,
  all: readonly Rounds[],
): Measurement[] {
  const rounds = all.flatMap(({ ours, peers }) => [...ours, ...peers]);
  const measurement = (name: string, key: keyof Round): Measurement => ({
    name: `${subject}, cores taken by ${name}`,
    value: median(rounds.map((round) => round[key])),
    unit: "",
    peer: null,
    target: null,
  });
  return [
    measurement("the loader", "loaderCores"),
    measurement("other processes", "otherCores"),
  ];
}

/** Loads one side for a time. */
export async function takeRound(
  { url, pids, requests, connections = CONNECTIONS }: Side,
  ms: number,
): Promise<Round> {
  const used = () =>
    [pids, [Deno.pid]].map((some) =>
      some.map(cpuSeconds).reduce((sum, seconds) => sum + seconds)
    );
  const [serverBefore, loaderBefore] = used();
  const machineBefore = machineCpuSeconds();
  const options = { connections, ms };
  const { answers, perSecond, p99Ms } = await load(url, requests, options);
  const [serverAfter, loaderAfter] = used();
  const machine = machineCpuSeconds() - machineBefore;
  const server = serverAfter! - serverBefore!;
  const loader = loaderAfter! - loaderBefore!;
  const seconds = answers / perSecond;
  return {
    perSecond,
    p99Ms,
    cpuUs: server / answers * 1e6,
    loaderCores: loader / seconds,
    otherCores: Math.max(0, machine - server - loader) / seconds,
  };
}
