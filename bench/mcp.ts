/** Calls of open MCP tools on warm data, in both revisions of the protocol. */
import { startService } from "../tests/support/processes/service.ts";
import type { BenchmarkOptions, Measurement } from "./measure/measurement.ts";
import { planFor, type Round, takeRound } from "./measure/round.ts";
import { askOnce, postRequest } from "./measure/connection.ts";
import { median } from "./measure/statistics.ts";

/** Minimum number of calls per second. */
const LEAST = 1_000;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The measured calls: a page of a year's days, and the chain list. */
const CALLS = [
  { name: "get_metrics", given: { range: "1y" } },
  { name: "get_chains", given: {} },
];

/** Encodes the call of a tool. */
function callOf(
  url: string,
  revision: "2025-11-25" | "2026-07-28",
  { name, given }: typeof CALLS[number],
): Uint8Array {
  const isModern = revision === "2026-07-28";
  const params = {
    name,
    arguments: given,
    ...(isModern ? { _meta: META } : {}),
  };
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return postRequest(`${url}/mcp`, JSON.stringify(rpc), {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": revision,
    ...(isModern ? { "Mcp-Method": "tools/call", "Mcp-Name": name } : {}),
  });
}

/** Measures calls per second, latency and CPU time. */
export async function measureMcp(
  { short, filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const { settings } = await filled();
  await using service = await startService(settings);
  await askOnce(`${service.url}/api/chain-data/metrics?range=1y`);
  const { rounds, ms } = planFor({ short });
  const measurements: Measurement[] = [];
  for (const revision of ["2026-07-28", "2025-11-25"] as const) {
    for (const call of CALLS) {
      const side = {
        url: service.url,
        pids: [service.process.pid],
        requests: [callOf(service.url, revision, call)],
      };
      const taken: Round[] = [];
      // The first round warms up the compiler.
      for (let nth = 0; nth <= rounds; nth++) {
        taken.push(await takeRound(side, ms));
      }
      const of = (key: keyof Round) =>
        median(taken.slice(1).map((round) => round[key]));
      const name = `MCP ${revision}, ${call.name}`;
      const plain = { peer: null, target: null };
      measurements.push(
        {
          ...plain,
          name,
          value: of("perSecond"),
          unit: "/s",
          target: { of: "value", is: ">=", than: LEAST },
        },
        { ...plain, name: `${name}, p99`, value: of("p99Ms"), unit: "ms" },
        { ...plain, name: `${name}, CPU time`, value: of("cpuUs"), unit: "us" },
      );
    }
  }
  return measurements;
}
