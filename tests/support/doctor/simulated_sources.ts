/** Simulated sources for the doctor, and for each of its assumptions a change that breaks it. */
import { USDC } from "../../../services/payments/plans_schema.ts";
import { openSources } from "../../../services/operator/doctor/sources_client.ts";
import {
  asFetch,
  simulateUpstreams,
  UPSTREAM_PATHS,
} from "../../../simnet/upstreams.ts";
import { EXPLORER_BASE_PATH } from "../../../simnet/explorer/explorer.ts";
import { START } from "../deps.ts";

const NOW = Date.parse(START);

/** Changes the body of a reply, or replaces the reply. */
export interface Change {
  /** A part of the request: its URL, or its body. */
  readonly of: string | RegExp;
  // deno-lint-ignore no-explicit-any
  readonly to: (body: any) => unknown;
  /** Days by which the Metrics API is behind. */
  readonly lagDays?: number;
}

const matches = (text: string, part: string | RegExp) =>
  typeof part === "string" ? text.includes(part) : part.test(text);

/** A simnet whose Metrics API is some days behind. It answers a question once. */
function rememberedSimnet(lagDays: number) {
  const at = (ms: number) => simulateUpstreams({ now: () => new Date(ms) });
  const { metricsApi } = at(NOW - lagDays * 86_400_000);
  const simulated = asFetch({ ...at(NOW), metricsApi });
  const answers = new Map<string, Promise<{ status: number; text: string }>>();
  return async (request: Request, asked: string) => {
    const answer = answers.get(asked) ??
      simulated(request).then(async (response) => ({
        status: response.status,
        text: await response.text(),
      }));
    answers.set(asked, answer);
    const { status, text } = await answer;
    return new Response(text, { status });
  };
}

const INDEX = `http://explorer.test${EXPLORER_BASE_PATH}`;

const SIMNET = rememberedSimnet(0);

/** Asks simnet; a change breaks one assumption. */
export function askSimnet(
  change?: Change,
  nodes = 2,
  metricsApis: ReadonlyMap<number, string> = new Map(),
  portal: string | null = null,
  chainNodes: ReadonlyMap<number, string> = new Map(),
) {
  const lagDays = change?.lagDays ?? 0;
  const answer = lagDays > 0 ? rememberedSimnet(lagDays) : SIMNET;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, { ...init, signal: null });
    const asked = `${request.url} ${await request.clone().text()}`;
    const response = await answer(request, asked);
    if (change === undefined || !matches(asked, change.of)) return response;
    const text = await response.text();
    // A stream has one JSON value a line.
    const isStream = request.url.endsWith("-stream");
    const lines = isStream ? text.trimEnd().split("\n") : [text];
    const [first, ...others] = lines.map((line) => JSON.parse(line));
    const body = change.to(isStream ? [first, ...others] : first);
    if (body instanceof Response) return body;
    return isStream
      ? new Response(
        (body as unknown[]).map((line) => JSON.stringify(line)).join("\n"),
      )
      : Response.json(body);
  };
  const node = (name: string) =>
    `http://${name}.test${UPSTREAM_PATHS.cChainRpc}`;
  return openSources({
    urls: {
      metricsApi: `http://metrics.test${UPSTREAM_PATHS.metricsApi}`,
      metricsApis,
      chainNodes,
      explorer: `http://explorer.test${UPSTREAM_PATHS.explorer}`,
      chainIndex: { chains: INDEX, aggregations: INDEX },
      portal,
      nodes: ["one", "two"].slice(0, nodes).map(node),
      platformChain: `http://p-chain.test${UPSTREAM_PATHS.pChainRpc}`,
      proofChains: {},
    },
    explorerApiKey: null,
    fetch,
    sleep: () => Promise.resolve(),
    timeoutMs: 1000,
  });
}

/** What the sources are examined for. */
export const SUBJECT = {
  chainId: 43_114,
  token: USDC,
  now: NOW,
  metricsCallsPerMinute: 60,
  readsAvaxNames: false,
};

/** Adds days to the points of a page. */
// deno-lint-ignore no-explicit-any
export const shifted = (days: number) => (body: any) => ({
  ...body,
  results: body.results.map(
    (point: { timestamp: number }) => ({
      ...point,
      timestamp: point.timestamp + days * 86_400,
    }),
  ),
});

/** Multiplies the values of a page. */
// deno-lint-ignore no-explicit-any
export const scaled = (factor: number) => (body: any) => ({
  ...body,
  results: body.results.map((point: { value: number }) => ({
    ...point,
    value: point.value * factor,
  })),
});

/** Changes a field of each row of the explorer index. */
const rowsWith = (field: string, change: (value: number) => unknown) =>
// deno-lint-ignore no-explicit-any
(body: any) => ({
  ...body,
  result: body.result.map((row: Record<string, unknown>) => ({
    ...row,
    [field]: change(Number(row[field])),
  })),
});

const refused = (message: string) => () => ({
  jsonrpc: "2.0",
  id: 1,
  error: { code: -32000, message },
});

const replaced = (result: unknown) => () => ({ jsonrpc: "2.0", id: 1, result });

/** Changes fields of a block. */
// deno-lint-ignore no-explicit-any
export const blockWith = (fields: object) => (body: any) => ({
  ...body,
  result: { ...body.result, ...fields },
});

/** The first page of the C-Chain's transactions. */
export const FIRST_PAGE = /txCount\?pageSize=2160&timeInterval=day /;

/** For each assumption, by a part of its text, a change that breaks it. */
export const BROKEN: Readonly<Record<string, Change>> = {
  "the chain list": {
    of: "/v2/chains?",
    to: (body) => ({
      chains: body.chains.filter(
        ({ evmChainId }: { evmChainId: number }) => evmChainId !== 43_114,
      ),
    }),
  },
  "a series is a list": {
    of: FIRST_PAGE,
    to: (body) => ({ ...body, results: body.results.toReversed() }),
  },
  "a page holds": { of: "pageToken", to: shifted(-1) },
  "the history of the C-Chain": {
    of: "pageToken",
    to: (body) => ({ ...body, results: body.results.slice(0, 10) }),
  },
  "the newest day": { of: "nothing", to: (body) => body, lagDays: 2 },
  "startTimestamp": {
    of: /txCount\?.*startTimestamp/,
    to: (body) => ({ ...body, results: body.results.slice(0, -1) }),
  },
  "fees are in AVAX": { of: "feesPaid", to: scaled(1e18) },
  "gas prices": { of: "avgGasPrice", to: scaled(1e-9) },
  "a running total": { of: "cumulativeTxCount", to: scaled(1.5) },
  "avgTps": { of: "avgTps", to: scaled(60) },
  "an unknown chain": {
    of: "4294967311",
    to: () => ({ results: [{ timestamp: 0, value: 0 }] }),
  },
  "stake is in nAVAX": { of: "validatorWeight", to: scaled(1e-9) },
  "no header limits": {
    of: FIRST_PAGE,
    to: (body) =>
      Response.json(body, { headers: { "X-RateLimit-Limit": "20" } }),
  },
  "daily transactions need no key": {
    of: "action=dailytx&",
    to: () => ({ status: "0", message: "NOTOK", result: "Missing API Key" }),
  },
  "daily fees": {
    of: "action=dailytxnfee",
    to: rowsWith("transactionFee_Eth", (value) => `${value}e18`),
  },
  "daily block counts": {
    of: "action=dailyblkcount",
    to: (body) => ({ ...body, result: body.result.slice(1) }),
  },
  "daily transactions differ": {
    of: "action=dailytx&",
    to: rowsWith("transactionCount", (value) => Math.round(value * 1.02)),
  },
  "daily totals of an L1": {
    of: "aggregations/txs",
    to: (body) => body.slice(0, 7),
  },
  "active addresses differ": {
    of: "aggregations/addresses",
    to: (body) =>
      body.map(([at, value]: [string, string]) => [at, 1.1 * Number(value)]),
  },
  "a transaction list": {
    of: `address=${USDC}`,
    to: rowsWith("nonce", () => undefined),
  },
  "an address without": {
    of: "address=0x6669726e",
    to: () => ({ status: "0", message: "NOTOK", result: "Invalid address" }),
  },
  "the node serves": { of: "eth_chainId", to: replaced("0xa869") },
  "the newest block": {
    of: '"latest",false',
    to: blockWith({ timestamp: `0x${(NOW / 1000 - 3600).toString(16)}` }),
  },
  "the node has old blocks": { of: '"0x1",false', to: replaced(null) },
  "the number of sent": {
    of: /rpc \{.*eth_getTransactionCount/,
    to: refused("missing trie node"),
  },
  "a batch of": {
    of: /rpc \[/,
    to: refused("batch too large"),
  },
  "the code of a contract": { of: "eth_getCode", to: replaced("0x") },
  "the token of USDC_ADDRESS": {
    of: "eth_call",
    to: replaced(`0x${"12".padStart(64, "0")}`),
  },
  "logs of": {
    of: "eth_getLogs",
    to: refused("query exceeds max block range 1000"),
  },
  "two nodes agree": {
    of: /two\.test/,
    to: blockWith({ hash: `0x${"ab".repeat(32)}` }),
  },
  "validators have": {
    of: "getCurrentValidators",
    to: ({ result, ...body }) => ({
      ...body,
      result: {
        validators: result.validators.map(
          ({ delegatorCount: _, ...one }: { delegatorCount: string }) => one,
        ),
      },
    }),
  },
  "the stake differs": {
    of: "getCurrentValidators",
    to: ({ result, ...body }) => ({
      ...body,
      result: { validators: result.validators.slice(0, 100) },
    }),
  },
};
