/** Serves each of the upstreams on its own port. */
import type { UpstreamSwitch } from "./switches.ts";
import {
  type Call,
  type SimnetOptions,
  SIMULATED_HEADER,
  simulateUpstreams,
  type Upstream,
  UPSTREAM_PATHS,
  type UpstreamName,
} from "./upstreams.ts";

/** A running simulation. Disposing it closes the ports and aborts open responses. */
interface Simnet extends AsyncDisposable {
  /** The base URL of each upstream, as in the service's settings. */
  readonly urls: Readonly<Record<UpstreamName, string>>;
  /** The switch of each upstream. */
  readonly switches: Readonly<Record<UpstreamName, UpstreamSwitch>>;
  /** The requests that reached each upstream, oldest first. */
  readonly calls: Readonly<Record<UpstreamName, Call[]>>;
}

/** Starts the simulation on 127.0.0.1. */
export function startSimnet(options: SimnetOptions = {}): Simnet {
  const upstreams = simulateUpstreams(options);
  const closing = new AbortController();
  const servers = mapUpstreams((name) =>
    serve(upstreams[name].handle, closing.signal)
  );
  return {
    urls: mapUpstreams((name) => {
      const { hostname, port } = servers[name].addr;
      return `http://${hostname}:${port}${UPSTREAM_PATHS[name]}`;
    }),
    switches: mapUpstreams((name) => upstreams[name].switch),
    calls: mapUpstreams((name) => upstreams[name].calls),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(Object.values(servers).map(({ finished }) => finished));
    },
  };
}

/** What the index and the node allow: the simulation refuses no score. */
const ALLOWED_CALLS = {
  EXPLORER_CALLS_PER_SECOND: "1000",
  EXPLORER_CALLS_PER_DAY: "10000000",
  C_CHAIN_CALLS_PER_MINUTE: "60000",
};

/** Returns the settings that point the service at a simulation. */
export function settingsOf({ urls }: Pick<Simnet, "urls">) {
  return {
    ...ALLOWED_CALLS,
    METRICS_API_URL: urls.metricsApi,
    EXPLORER_API_URL: urls.explorer,
    // A simulated source serves what is sold.
    COLD_READS_PERCENT: "0",
    C_CHAIN_RPC_URL: urls.cChainRpc,
    P_CHAIN_RPC_URL: urls.pChainRpc,
  };
}

function serve(
  handle: Upstream["handle"],
  signal: AbortSignal,
): Deno.HttpServer<Deno.NetAddr> {
  const options = {
    hostname: "127.0.0.1",
    port: 0,
    signal,
    onListen() {},
  };
  return Deno.serve(
    options,
    (request) => handle(request, signal).catch(hangUp),
  );
}

/**
 * Aborts the connection by announcing more bytes than it sends: a server cannot
 * refuse a connection that it has accepted.
 */
function hangUp(): Response {
  const nothing = new ReadableStream({ pull: (body) => body.close() });
  const headers = new Headers([[...SIMULATED_HEADER], ["Content-Length", "1"]]);
  return new Response(nothing, { headers });
}

function mapUpstreams<T>(
  value: (name: UpstreamName) => T,
): Record<UpstreamName, T> {
  return {
    metricsApi: value("metricsApi"),
    explorer: value("explorer"),
    cChainRpc: value("cChainRpc"),
    pChainRpc: value("pChainRpc"),
    portal: value("portal"),
  };
}
