/** Warm answers of the whole C-Chain history, against a bare handler of the same bytes. */
import { startService } from "../tests/support/service.ts";
import { type BareAnswer, startBareHandler } from "./bare_handler.ts";
import { askOnce } from "./connection.ts";
import type { Figure, Run } from "./figure.ts";
import { load } from "./load.ts";
import { median } from "./statistics.ts";
import { cpuSeconds, machineCpuSeconds } from "./usage.ts";

const HISTORY = "/api/chain-data/metrics?range=all";
const CONNECTIONS = 32;

/** The answers that are asked for. */
const VARIANTS = ["json", "csv"].flatMap((format) =>
  ["identity", "gzip"].map((encoding) => ({
    name: `warm ${format} ${encoding}`,
    path: `${HISTORY}&format=${format}`,
    headers: { "Accept-Encoding": encoding },
  }))
);

interface Side {
  readonly url: string;
  readonly process: Deno.ChildProcess;
}

/** One round on one side. */
interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** CPU time of the server for one answer, the least noisy of all. */
  readonly cpuUs: number;
  /** Cores that the loader kept busy; near one it slows the server down. */
  readonly loaderCores: number;
  /** Cores that had nothing to do with it: more than a few tenths spoil a round. */
  readonly otherCores: number;
}

/** Measures requests a second, latency and CPU time of either side, in turns. */
export async function measureWarm({ short, filled }: Run): Promise<Figure[]> {
  const plan = short ? { rounds: 3, ms: 500 } : { rounds: 9, ms: 800 };
  await using service = await startService(filled);
  const answers: BareAnswer[] = [];
  for (const { path, headers } of VARIANTS) {
    const { head, body } = await askOnce(service.url + path, headers);
    answers.push({ head, body: body.slice() });
  }
  await using bare = await startBareHandler(answers);
  const figures: Figure[] = [];
  const all: Round[] = [];
  for (const [index, { name, path, headers }] of VARIANTS.entries()) {
    const ours: Round[] = [];
    const peers: Round[] = [];
    // The first round of either side is for its compiler.
    for (let turn = 0; turn <= plan.rounds; turn++) {
      ours.push(await round(service, path, { headers, ms: plan.ms }));
      peers.push(await round(bare, `/${index}`, { headers, ms: plan.ms }));
    }
    figures.push(...compare(name, ours.slice(1), peers.slice(1)));
    all.push(...ours, ...peers);
  }
  const cores = (name: string, key: keyof Round) => ({
    name: `warm, cores taken by ${name}`,
    value: median(all.map((round) => round[key])),
    unit: "",
    peer: null,
    wanted: null,
  });
  return [
    ...figures,
    cores("the loader", "loaderCores"),
    cores("other processes", "otherCores"),
  ];
}

function compare(name: string, ours: Round[], peers: Round[]): Figure[] {
  const of = (key: keyof Round) => ({
    value: median(ours.map((round) => round[key])),
    peer: median(peers.map((round) => round[key])),
  });
  return [
    {
      name,
      unit: "/s",
      ...of("perSecond"),
      wanted: { of: "ratio", is: ">=", than: 0.8 },
    },
    {
      name: `${name}, p99`,
      unit: "ms",
      ...of("p99Ms"),
      wanted: { of: "figure", is: "<", than: 5 },
    },
    { name: `${name}, CPU time`, unit: "us", ...of("cpuUs"), wanted: null },
  ];
}

async function round(
  { url, process }: Side,
  path: string,
  options: { headers: Readonly<Record<string, string>>; ms: number },
): Promise<Round> {
  const used = () => [process.pid, Deno.pid].map(cpuSeconds);
  const [serverBefore, loaderBefore] = used();
  const machineBefore = machineCpuSeconds();
  const { answers, perSecond, p99Ms } = await load(url + path, {
    ...options,
    connections: CONNECTIONS,
  });
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
