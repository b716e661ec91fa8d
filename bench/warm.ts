/** Warm answers of the whole C-Chain history, against a bare handler of the same bytes. */
import { startService } from "../tests/support/service.ts";
import { type BareAnswer, startBareHandler } from "./bare_handler.ts";
import { askOnce } from "./connection.ts";
import type { Figure, Run } from "./figure.ts";
import { load } from "./load.ts";
import { median } from "./statistics.ts";
import { cpuSeconds } from "./usage.ts";

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
  readonly cpuUs: number;
  /** Cores that the loader kept busy. */
  readonly loaderCores: number;
}

/** Measures requests a second, latency and CPU time of either side, in turns. */
export async function measureWarm({ short, filled }: Run): Promise<Figure[]> {
  const { rounds, ms } = short
    ? { rounds: 3, ms: 500 }
    : { rounds: 9, ms: 800 };
  await using service = await startService(filled);
  const answers: BareAnswer[] = [];
  for (const { path, headers } of VARIANTS) {
    const { head, body } = await askOnce(service.url + path, headers);
    answers.push({ head, body: body.slice() });
  }
  await using bare = await startBareHandler(answers);
  const figures: Figure[] = [];
  let busiest = 0;
  for (const [index, { name, path, headers }] of VARIANTS.entries()) {
    const one = (side: Side, path: string) => round(side, path, headers, ms);
    const ours: Round[] = [];
    const peers: Round[] = [];
    // The first round of either side is for its compiler.
    for (let turn = 0; turn <= rounds; turn++) {
      ours.push(await one(service, path));
      peers.push(await one(bare, `/${index}`));
    }
    const of = (key: keyof Round) => ({
      value: median(ours.slice(1).map((round) => round[key])),
      peer: median(peers.slice(1).map((round) => round[key])),
    });
    figures.push(
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
    );
    const loader = [...ours, ...peers].map(({ loaderCores }) => loaderCores);
    busiest = Math.max(busiest, ...loader);
  }
  const name = "warm, cores the loader took at most";
  return [...figures, {
    name,
    unit: "",
    value: busiest,
    peer: null,
    wanted: null,
  }];
}

async function round(
  { url, process }: Side,
  path: string,
  headers: Readonly<Record<string, string>>,
  ms: number,
): Promise<Round> {
  const before = {
    server: cpuSeconds(process.pid),
    loader: cpuSeconds(Deno.pid),
  };
  const options = { headers, connections: CONNECTIONS, ms };
  const { answers, perSecond, p99Ms } = await load(url + path, options);
  const server = cpuSeconds(process.pid) - before.server;
  const loader = cpuSeconds(Deno.pid) - before.loader;
  return {
    perSecond,
    p99Ms,
    cpuUs: server / answers * 1e6,
    loaderCores: loader * perSecond / answers,
  };
}
