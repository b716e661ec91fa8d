/** Rounds of load on one side and on the other, in turns, and what the machine did meanwhile. */
import type { Measurement, Target } from "./measurement.ts";
import { load } from "./load.ts";
import { median } from "./statistics.ts";
import { cpuSeconds, machineCpuSeconds } from "./process_usage.ts";

/** Connections that ask at once. */
export const CONNECTIONS = 32;

/** A server, and all processes that answer for it. */
export interface Side {
  readonly url: string;
  readonly pids: readonly number[];
  /** What is asked in turn, as bytes. */
  readonly requests: readonly Uint8Array[];
}

/** One round on one side. */
export interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** CPU time of the server for one answer, the least noisy of all. */
  readonly cpuUs: number;
  /** Cores that the loader kept busy; near one it slows the server down. */
  readonly loaderCores: number;
  /** Cores that had nothing to do with it: more than a few tenths spoil a round. */
  readonly otherCores: number;
}

/** How many rounds there are of each side, and how long each is. */
export interface Plan {
  readonly rounds: number;
  readonly ms: number;
}

/** The plan of a comparison. The short one has a first round for the compiler and two that count. */
export function planFor({ short }: { readonly short: boolean }): Plan {
  return short ? { rounds: 2, ms: 300 } : { rounds: 12, ms: 800 };
}

/** The rounds of both sides. */
export interface Rounds {
  readonly ours: readonly Round[];
  readonly peers: readonly Round[];
}

/** Puts load on two sides in turns; the first round of either is for its compiler and left out. */
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
export function mediansOf(
  { ours, peers }: Rounds,
  key: keyof Round,
): { value: number; peer: number } {
  return {
    value: median(ours.map((round) => round[key])),
    peer: median(peers.map((round) => round[key])),
  };
}

/** Returns requests a second, latency and CPU time of ours against the peer's, as measurements. */
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

/** Returns what the loader and all that is neither side took of the machine, as measurements. */
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

/** Puts load on one side for so long. */
export async function takeRound(
  { url, pids, requests }: Side,
  ms: number,
): Promise<Round> {
  const used = () =>
    [pids, [Deno.pid]].map((some) =>
      some.map(cpuSeconds).reduce((sum, seconds) => sum + seconds)
    );
  const [serverBefore, loaderBefore] = used();
  const machineBefore = machineCpuSeconds();
  const options = { connections: CONNECTIONS, ms };
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
