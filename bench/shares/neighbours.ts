/** Cached scores of a customer, alone and beside one address that does its worst on a kind of route. */
import { formatDay, parseDay } from "../../services/platform/days.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { startProgram } from "../../tests/support/processes/service.ts";
import { runNamed } from "../../tests/support/jobs.ts";
import { waitUntil } from "../../tests/support/wait_until.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { median, percentile } from "../measure/statistics.ts";
import { addCaller } from "../scores/keyed_callers.ts";
import { startKeyedService } from "../scores/keyed_service.ts";
import { openDeps } from "../../services/deps.ts";
import { readConfig } from "../../services/config.ts";
import { OPEN_REQUESTS_PER_MINUTE } from "../../services/platform/rate_limit/ip_rate_limit.ts";
import { type Client, serveFor } from "./flood.ts";

/** Connections of the address, none of which rests. */
const CONNECTIONS = 40;

/** Connections of the customer, and the rest of each after an answer. */
const CALLERS = 4;
const REST_MS = 10;

/** Alternating runs of each kind, and the length of a run. */
const FULL = { runs: 5, ms: 3_000 };
const SHORT = { runs: 5, ms: 1_000 };

/** The clients of the address take no time of this machine that the service needs. */
const LEAST_PRIORITY = ["nice", "-n", "19"];

/** The address has opened its connections after this time, and what is left of it is answered. */
const DRAIN_MS = 500;

/** The window of the burst limit, so that no score is refused. */
const BURST_MS = 60_000;

const FIRST_DAY = parseDay("2021-03-01");

/** Returns two dates that nobody has asked for. */
function dates(nth: number): string {
  const from = FIRST_DAY + nth % 500;
  const to = from + 1_000 + Math.floor(nth / 500) % 500;
  return `from=${formatDay(from)}&to=${formatDay(to)}`;
}

/** Returns an address that nobody has asked for. */
const address = (nth: number) => `0x${nth.toString(16).padStart(40, "c0de")}`;

const tool = (name: string, given: object) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });

/** The n-th request: its path, and its body if it is a POST. */
type Ask = (nth: number) => readonly [path: string, body?: string];

/** What the address asks for, by kind of route. No answer but those of `cached` is in a cache. */
const KINDS: Readonly<Record<string, Ask>> = {
  "series as JSON": (nth) => [
    `/api/chain-data/metrics?metric=txCount&${dates(nth)}`,
  ],
  "series as CSV": (nth) => [
    `/api/chain-data/metrics?metric=gasUsed&format=csv&${dates(nth)}`,
  ],
  "checked series": (nth) => [`/api/chain-data/validators?${dates(nth)}`],
  "explorer page": (nth) => [
    `/?metric=txCount&chainId=43114&${dates(nth)}&interval=day`,
  ],
  "chart as SVG": (nth) => [`/chart/txCount.svg?${dates(nth)}`],
  "chart as PNG": (nth) => [`/chart/txCount.png?${dates(nth)}`],
  "page of a day": (nth) => [
    `/days/txCount/43114/${formatDay(FIRST_DAY + nth % 1_500)}`,
  ],
  "score page": (nth) => [`/tools/score/${address(nth)}`],
  "badge": (nth) => [`/api/tools/score-badge/${address(nth)}`],
  "card as PNG": (nth) => [`/card/profile/${address(nth)}.png`],
  "profile page": (nth) => [`/profiles/${address(nth)}`],
  "profile as JSON": (nth) => [`/api/profiles/${address(nth)}`],
  "bulk file": () => ["/downloads/txCount-2026.parquet"],
  "invalid query": (nth) => [`/api/chain-data/metrics?metric=m${nth}`],
  "sign-in": (nth) => [
    "/api/account/challenges",
    JSON.stringify({ address: address(nth), action: "session" }),
  ],
  "guide": () => ["/docs/scoring-method"],
  "search of the guides": (nth) => [`/docs/search?q=score+${nth}`],
  "status": () => ["/status.json"],
  "MCP call": (nth) => [
    "/mcp",
    tool("get_metrics", {
      from: formatDay(FIRST_DAY + nth % 500),
      to: formatDay(FIRST_DAY + 1_000 + Math.floor(nth / 500) % 500),
    }),
  ],
  "MCP list of tools": () => [
    "/mcp",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  ],
  "invalid key": (nth) => [`/api/v1/score/${address(nth)}`],
  "unknown page": (nth) => [`/nowhere/${nth}`],
  "cached": () => ["/api/chain-data/metrics?metric=txCount&range=all"],
};

/** Measures the scores, alone and beside each kind in turn. */
export async function measureNeighbours(
  { short, filled }: BenchmarkOptions,
  kinds: readonly string[] = Object.keys(KINDS),
): Promise<Measurement[]> {
  const { runs, ms } = short ? SHORT : FULL;
  const database = await filled();
  await using simnet = startSimnet();
  const { METRICS_API_URL: _, ...upstreams } = settingsOf(simnet);
  const settings = {
    ...database.settings,
    ...upstreams,
    TRUSTED_PROXY_HOPS: "1",
    FAIR_USE_PER_MINUTE: String(OPEN_REQUESTS_PER_MINUTE),
  };
  const customers = await prepare(settings);
  await using service = await startKeyedService(settings, {
    burstMs: BURST_MS,
  });
  const { url } = service;
  const scores = async () => {
    const served = await serveFor(url, customers, ms);
    const statuses = new Set(served.flatMap(({ statuses }) => statuses));
    if (!statuses.has(200) || statuses.size > 1) {
      throw new Error(`Cannot read scores: ${[...statuses]}`);
    }
    return percentile(served.flatMap(({ times }) => times), 99);
  };
  await scores();
  const measurements: Measurement[] = [];
  let flood = 0;
  for (const kind of kinds) {
    const quiet: number[] = [];
    const busy: number[] = [];
    const answers: Record<string, number> = {};
    for (let run = 0; run <= runs; run++) {
      const alone = await scores();
      const args = [kind, url, String(flood++), String(ms + 2 * DRAIN_MS)];
      await using neighbour = startProgram(
        ["run", "--allow-all", "--no-check", import.meta.filename!, ...args],
        {},
        { through: LEAST_PRIORITY },
      );
      await waitUntil(() => neighbour.output() !== "");
      await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
      const beside = await scores();
      const { code, output } = await neighbour.finish();
      if (code !== 0) throw new Error(output);
      await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
      // The first run compiles what the kind needs.
      if (run === 0) continue;
      quiet.push(alone);
      busy.push(beside);
      for (
        const [status, count] of Object.entries(
          JSON.parse(output.split("\n")[1]!),
        )
      ) {
        answers[status] = (answers[status] ?? 0) + Number(count);
      }
    }
    const total = Object.values(answers).reduce((sum, count) => sum + count, 0);
    measurements.push({
      name: `score beside ${kind}, p99`,
      value: median(busy),
      unit: "ms",
      peer: null,
      target: { of: "value", is: "<=", than: 2 * median(quiet) + 10 },
    }, {
      name: `answers to ${kind} in a run, with ${
        answers[429] ?? 0
      } refusals in all`,
      value: total / runs,
      unit: "",
      peer: null,
      target: null,
    });
  }
  return measurements;
}

/** Builds the bulk files, and adds the customers. */
async function prepare(
  settings: Readonly<Record<string, string>>,
): Promise<Client[]> {
  using kv = await Deno.openKv(settings.KV_PATH);
  const deps = openDeps(readConfig(settings), {
    kv,
    fetch,
    now: () => new Date(settings.FIRN_NOW!),
    write: () => {},
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const { error } = await runNamed(deps, "build-downloads");
  if (error !== null) throw new Error(`Cannot build the files: ${error}`);
  return await Promise.all(
    Array.from({ length: CALLERS }, async (_, nth) => {
      const { key, address } = await addCaller(deps, nth);
      return {
        next: () => `/api/v1/score/${address}`,
        headers: { "X-Api-Key": key, "X-Forwarded-For": "203.0.113.1" },
        restMs: REST_MS,
      };
    }),
  );
}

/** Sends one kind of request from one address, and prints how many answers had each status. */
async function flood(kind: string, url: string, nth: number, ms: number) {
  const ask = KINDS[kind]!;
  let sent = nth * 100_000;
  const isPost = ask(0).length === 2;
  const client: Client = {
    next: () => ask(sent++)[0],
    ...isPost && { body: () => ask(sent)[1]! },
    headers: {
      "Accept": isPost ? "application/json, text/event-stream" : "*/*",
      "Accept-Encoding": "br, gzip",
      "X-Forwarded-For": `198.51.${nth >> 8}.${nth & 255}`,
      ...isPost && { "Content-Type": "application/json" },
      ...kind === "invalid key" && {
        "X-Api-Key": `firn_live_${"a".repeat(32)}`,
      },
    },
    restMs: 0,
  };
  const clients = Array.from({ length: CONNECTIONS }, () => client);
  // deno-lint-ignore no-console
  console.log("it begins");
  const served = await serveFor(url, clients, ms);
  const counts: Record<number, number> = {};
  for (const status of served.flatMap(({ statuses }) => statuses)) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  // deno-lint-ignore no-console
  console.log(JSON.stringify(counts));
}

if (import.meta.main) {
  const [kind, url, nth, ms] = Deno.args as [string, string, string, string];
  await flood(kind, url, Number(nth), Number(ms));
}
