/** The upstreams without sockets. Each has a handler, a fault switch and a list of calls. */
import { C_CHAIN_PATH, cChainRpc } from "./c_chain/c_chain.ts";
import {
  explorer,
  EXPLORER_BASE_PATH,
  EXPLORER_PATH,
} from "./explorer/explorer.ts";
import { listRpcMethods } from "./c_chain/json_rpc.ts";
import {
  metricsApi,
  type MetricsApiOptions,
} from "./metrics_api/metrics_api.ts";
import { P_CHAIN_PATH, platformChain } from "./platform_chain.ts";
import { portal, PORTAL_PATH } from "./portal.ts";
import {
  answerSwitch,
  type Handler,
  SWITCH_PATH,
  type UpstreamSwitch,
  upstreamSwitch,
} from "./switches.ts";

/** The upstreams by name, with the path of each base URL. */
export const UPSTREAM_PATHS = {
  metricsApi: "",
  explorer: EXPLORER_PATH,
  cChainRpc: C_CHAIN_PATH,
  pChainRpc: P_CHAIN_PATH,
  portal: PORTAL_PATH,
} as const;

/** One of the upstreams. */
export type UpstreamName = keyof typeof UPSTREAM_PATHS;

/** A request that reached an upstream. */
export interface Call {
  /** The simulated instant in epoch milliseconds. */
  readonly at: number;
  /** The path with its query. */
  readonly path: string;
  /** The JSON-RPC methods that were called; empty for other requests. */
  readonly rpcMethods: readonly string[];
}

/** An upstream, ready to be served or injected. */
export interface Upstream {
  /** Answers a request. A signal ends a delay. */
  readonly handle: (
    request: Request,
    signal?: AbortSignal,
  ) => Promise<Response>;
  /** Makes the upstream fail. */
  readonly switch: UpstreamSwitch;
  /** The requests that reached the upstream, oldest first. */
  readonly calls: Call[];
}

/** Options of the simulation. The clock is the real one by default. */
export type SimnetOptions = Partial<MetricsApiOptions>;

/** The header on every simulated answer. */
export const SIMULATED_HEADER = ["X-Simulated", "simnet"] as const;

/** Creates the upstreams. */
export function simulateUpstreams(
  options: SimnetOptions = {},
): Record<UpstreamName, Upstream> {
  const { now = () => new Date() } = options;
  const simulate = (answer: Handler) => simulateUpstream(answer, now);
  return {
    metricsApi: simulate(metricsApi({ ...options, now })),
    explorer: simulate(explorer({ now, chains: options.chains })),
    cChainRpc: simulate(cChainRpc({ now })),
    pChainRpc: simulate(platformChain({ now })),
    portal: simulate(portal({ now })),
  };
}

/**
 * Returns a `fetch` without sockets. The path selects the upstream; the host is
 * ignored.
 */
export function asFetch(
  upstreams: Readonly<Record<UpstreamName, Upstream>>,
): typeof fetch {
  return async function simulatedFetch(input, init) {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname } = new URL(request.url);
    const name = pathname.startsWith(EXPLORER_BASE_PATH)
      ? "explorer"
      : pathname.startsWith(PORTAL_PATH)
      ? "portal"
      : UPSTREAMS_BY_PATH.get(pathname);
    const { handle } = upstreams[name ?? "metricsApi"];
    return await handle(request, request.signal);
  };
}

const UPSTREAMS_BY_PATH = new Map(
  Object.entries(UPSTREAM_PATHS)
    .map(([name, path]) => [path as string, name as UpstreamName]),
);

function simulateUpstream(answer: Handler, now: () => Date): Upstream {
  const behaviour = upstreamSwitch();
  const calls: Call[] = [];

  async function handle(
    request: Request,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname === SWITCH_PATH) return answerSwitch(request, behaviour);
    const { rpcMethods, unread } = await readRpcMethods(request);
    calls.push({ at: now().getTime(), path: pathname + search, rpcMethods });
    return behaviour.apply(unread, answer, signal);
  }

  return {
    handle: async (request, signal) =>
      markSimulated(await handle(request, signal)),
    switch: behaviour,
    calls,
  };
}

/** Lists the RPC methods of a request and rebuilds it, because a clone would keep its signal in use. */
async function readRpcMethods(
  request: Request,
): Promise<{ rpcMethods: string[]; unread: Request }> {
  if (request.method !== "POST") return { rpcMethods: [], unread: request };
  const { url, method, headers } = request;
  const body = await request.text();
  const unread = new Request(url, { method, headers, body });
  return { rpcMethods: listRpcMethods(body), unread };
}

function markSimulated(response: Response): Response {
  response.headers.set(...SIMULATED_HEADER);
  return response;
}
