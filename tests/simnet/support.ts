/** Shared by the tests of simnet: a stopped clock and request helpers. */
import { dayAt } from "../../simnet/series/days.ts";
import {
  asFetch,
  type SimnetOptions,
  simulateUpstreams,
  type Upstream,
  type UpstreamName,
} from "../../simnet/upstreams.ts";

/** The time of the stopped clock. */
export const NOW = new Date("2026-11-21T09:30:00Z");

/** The day of `NOW`. */
export const TODAY = dayAt(NOW.getTime());

/** A point of the Metrics API. */
interface Point {
  readonly value: number;
  readonly timestamp: number;
}

/** A JSON body of any shape. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** A response with a parsed body. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** The upstreams without sockets, with request helpers. */
interface TestNet {
  readonly upstreams: Readonly<Record<UpstreamName, Upstream>>;
  readonly fetch: typeof fetch;
  /** Gets a path and reads its JSON. */
  get(path: string): Promise<Answer>;
  /** Posts a JSON-RPC body and reads the answer. */
  rpc(path: string, body: unknown): Promise<Json>;
  /** Reads the newest page of a chain's metric. */
  history(chainId: number, metric: string, query?: string): Promise<Point[]>;
}

/** Creates a simulation with the stopped clock. */
export function testNet(options: SimnetOptions = {}): TestNet {
  const upstreams = simulateUpstreams({ now: () => NOW, ...options });
  const fetch = asFetch(upstreams);

  async function get(path: string): Promise<Answer> {
    const response = await fetch(`http://simnet${path}`);
    const { status, headers } = response;
    return { status, headers, body: await response.json() };
  }

  async function rpc(path: string, body: unknown): Promise<Json> {
    const init = { method: "POST", body: JSON.stringify(body) };
    return await (await fetch(`http://simnet${path}`, init)).json();
  }

  async function history(
    chainId: number,
    metric: string,
    query = "pageSize=2160",
  ): Promise<Point[]> {
    const path = `/v2/chains/${chainId}/metrics/${metric}?${query}`;
    return (await get(path)).body.results;
  }

  return { upstreams, fetch, get, rpc, history };
}
