/**
 * Client of all sources for an examination: it sends each request once, no
 * faster than is allowed without a key.
 */

import type { ChainIndexUrls, Config } from "../../config.ts";
import type { ProofChainName } from "../../model/human_proofs_schema.ts";
import { withApiKey } from "../../platform/http/etherscan_client.ts";

/** What a source answered. `error` is set if no JSON arrived. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly error: string | null;
}

/** The addresses of the sources, and of what is asked for. */
interface SourceUrls {
  readonly metricsApi: string;
  /** Hosts of single chains, by chain id. */
  readonly metricsApis: ReadonlyMap<number, string>;
  /** Own nodes of single chains, by chain id. */
  readonly chainNodes: ReadonlyMap<number, string>;
  readonly explorer: string;
  readonly chainIndex: ChainIndexUrls;
  /** The C-Chain's dataset at a portal; null without one. */
  readonly portal: string | null;
  /** At least one. */
  readonly nodes: readonly string[];
  readonly platformChain: string;
  /** Nodes of the chains on which proofs of a unique human are read. */
  readonly proofChains: Config["proofChainUrls"];
}

/** Options of the client. */
interface SourcesOptions {
  readonly urls: SourceUrls;
  /** The key that the service sends to the explorer index; null for none. */
  readonly explorerApiKey: string | null;
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number) => Promise<void>;
  /** Timeout of a reply, headers and body together. */
  readonly timeoutMs: number;
}

/** The forms in which the explorer index was seen to answer daily totals. The first is used. */
export const INDEX_FORMS = [
  "all, on its own host",
  "all, on the API's host",
  "one chain",
] as const;
type IndexForm = typeof INDEX_FORMS[number];

/** Calls that one examination may make, besides one to each host and two to each node of a single chain. */
const MAX_CALLS = 45;

/** The explorer index allows two calls a second without a key. */
const PAUSE_MS = 600;

/** Creates the client. Equal requests share one call. */
export function openSources(
  { urls, explorerApiKey, fetch, sleep, timeoutMs }: SourcesOptions,
) {
  const replies = new Map<string, Promise<Reply>>();
  const maxCalls = MAX_CALLS + urls.metricsApis.size +
    2 * urls.chainNodes.size;
  const fetchKeyed = withApiKey(fetch, explorerApiKey);

  function ask(
    request: Request,
    key: string,
    from: typeof fetch = fetch,
    parse: (text: string) => unknown = JSON.parse,
  ): Promise<Reply> {
    const held = replies.get(key);
    if (held !== undefined) return held;
    if (replies.size === maxCalls) {
      throw new Error(`An examination makes at most ${maxCalls} calls`);
    }
    const reply = send(request, from, parse);
    replies.set(key, reply);
    return reply;
  }

  async function send(
    request: Request,
    from: typeof fetch,
    parse: (text: string) => unknown,
  ): Promise<Reply> {
    await sleep(PAUSE_MS);
    let response: Response | undefined;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      response = await from(request, { signal, redirect: "error" });
      const { status, headers } = response;
      const body = parse(await response.text());
      return { status, headers, body, error: null };
    } catch (error) {
      return {
        status: response?.status ?? 0,
        headers: response?.headers ?? new Headers(),
        body: null,
        error: reasonOf(error, response),
      };
    }
  }

  function get(
    base: string,
    path: string,
    params: Record<string, string>,
    from?: typeof fetch,
  ) {
    const url = new URL(base.replace(/\/$/, "") + path);
    url.search = new URLSearchParams(params).toString();
    return ask(new Request(url), url.href, from);
  }

  function post(
    url: string,
    call: unknown,
    parse?: (text: string) => unknown,
  ) {
    const body = JSON.stringify(call);
    const headers = { "Content-Type": "application/json" };
    const request = new Request(url, { method: "POST", headers, body });
    return ask(request, `${url} ${body}`, fetch, parse);
  }

  function index(
    { aggregations, chains }: ChainIndexUrls,
    form: IndexForm,
    kind: "txs" | "addresses",
    chainId: number,
  ): Promise<Reply> | null {
    const base = form === "all, on its own host" ? aggregations : chains;
    if (base === null) return null;
    return form === "one chain"
      ? get(base, `/${chainId}/aggregations/${kind}`, {}, fetchKeyed)
      : get(base, `/all/aggregations/${kind}`, {
        includedChainIds: `${chainId}`,
        unit: "day",
      });
  }

  return {
    /** Reads daily totals of a chain in a form of the explorer index; null if it has no URL. */
    index: (form: IndexForm, kind: "txs" | "addresses", chainId: number) =>
      index(urls.chainIndex, form, kind, chainId),
    /** Hosts of the C-Chain's nodes. */
    nodes: urls.nodes.map((url) => new URL(url).host),
    /** Reads a path of the Metrics API. */
    metrics: (path: string, params: Record<string, string> = {}) =>
      get(urls.metricsApi, path, params),
    /** The chains that have a host of their own, which answers as the Metrics API does. */
    ownHosts: [...urls.metricsApis].map(([chainId, url]) => ({
      chainId,
      host: new URL(url).host,
    })),
    /** Reads a path of the host of one of them. */
    metricsOf: (
      chainId: number,
      path: string,
      params: Record<string, string>,
    ) => get(urls.metricsApis.get(chainId)!, path, params),
    /** The chains that have a node of their own. */
    chainNodes: [...urls.chainNodes].map(([chainId, url]) => ({
      chainId,
      host: new URL(url).host,
    })),
    /** Calls the node of one of them. */
    chainNode: (chainId: number, method: string, params: readonly unknown[]) =>
      post(urls.chainNodes.get(chainId)!, callOf(1, method, params)),
    /** Asks the explorer index. */
    explorer: (params: Record<string, string>) =>
      get(urls.explorer, "", params, fetchKeyed),
    /** Calls a node of the C-Chain: the first is 0. */
    node: (nth: number, method: string, params: readonly unknown[]) =>
      post(urls.nodes[nth]!, callOf(1, method, params)),
    /** Sends a batch of equal calls to the first node of the C-Chain. */
    batch: (size: number, method: string, params: readonly unknown[]) =>
      post(
        urls.nodes[0]!,
        Array.from({ length: size }, (_, id) => callOf(id, method, params)),
      ),
    /** The portal: its newest block, and the lines of a stream. Null without one. */
    portal: urls.portal === null ? null : {
      head: () => get(urls.portal!, "/finalized-head", {}),
      stream: (query: unknown) =>
        post(`${urls.portal}/finalized-stream`, query, linesOf),
    },
    /** Calls the node of the platform chain. */
    platformChain: (method: string) =>
      post(urls.platformChain, callOf(1, method, {})),
    /** The chains with proofs of a unique human whose node is set. */
    proofChains: Object.keys(urls.proofChains) as ProofChainName[],
    /** Calls the node of one of them. */
    proofNode: (
      chain: ProofChainName,
      method: string,
      params: readonly unknown[],
    ) => post(urls.proofChains[chain]!, callOf(1, method, params)),
    /** Returns the number of calls so far. */
    countCalls: () => replies.size,
  };
}

/** The client of all sources. */
export type Sources = ReturnType<typeof openSources>;

/** Parses a text of one JSON value a line. */
function linesOf(text: string): unknown[] {
  return text.split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function callOf(id: number, method: string, params: unknown) {
  return { jsonrpc: "2.0", id, method, params };
}

function reasonOf(error: unknown, response: Response | undefined): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return "no answer in time";
  }
  if (response === undefined) return "no connection";
  return `status ${response.status}, not JSON`;
}
