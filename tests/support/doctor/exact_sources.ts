/** Sources that answer exact questions about the doctor's assumptions, and no others. */
import { assertEquals } from "@std/assert";
import { NotExamined } from "../../../services/operator/doctor/assumption.ts";
import { ASSUMPTIONS } from "../../../services/operator/doctor/examination.ts";
import {
  INDEX_FORMS,
  type Reply,
  type Sources,
} from "../../../services/operator/doctor/sources_client.ts";
import { dayAt, formatDay } from "../../../services/platform/days.ts";
import { SUBJECT } from "./simulated_sources.ts";

/** 2026-11-21. */
export const TODAY = dayAt(SUBJECT.now);
const DAY_SECONDS = 86_400;
const HEAD = 1_000_000;
export const TOKEN = SUBJECT.token;

/** The questions, as the sources are asked them. */
export const PAGE =
  "metrics /v2/chains/43114/metrics/txCount pageSize=2160&timeInterval=day";
export const OLDER = `${PAGE}&pageToken=older`;
const STAKE = "metrics /v2/networks/mainnet/metrics/validatorWeight pageSize=2";
const CHAINS = "metrics /v2/chains network=mainnet";
const UNKNOWN =
  "metrics /v2/chains/4294967311/metrics/txCount pageSize=1&timeInterval=day";
const VALIDATORS = "platformChain platform.getCurrentValidators";
export const recent = (metric: string) =>
  `metrics /v2/chains/43114/metrics/${metric} pageSize=2160&timeInterval=day&startTimestamp=${
    (TODAY - 4) * DAY_SECONDS
  }`;
const stats = (action: string) =>
  `explorer module=stats&action=${action}&startdate=2026-11-12&enddate=2026-11-14&sort=asc`;
export const records = (address: string) =>
  `explorer module=account&action=txlist&address=${address}&page=1&offset=2&sort=desc`;
const index = (form: string, kind: string, chainId: number) =>
  `index ${form} ${kind} ${chainId}`;
const FORMS = INDEX_FORMS.map((form) => index(form, "txs", 53_935));
export const ADDRESSES = index(INDEX_FORMS[0], "addresses", 43_114);
/** Pairs of the explorer index, newest first. */
export const pairs = (newest: number, values: readonly unknown[]) =>
  values.map((value, nth) => [
    `${formatDay(newest - nth)}T00:00:00.000Z`,
    value,
  ]);
export const node = (nth: number, method: string, ...params: unknown[]) =>
  `node ${nth} ${method} ${JSON.stringify(params)}`;
export const LATEST = node(0, "eth_getBlockByNumber", "latest", false);
const FIRST_BLOCK = node(0, "eth_getBlockByNumber", "0x1", false);
export const BATCH = `batch 40 eth_getTransactionCount ["${TOKEN}","latest"]`;
const CODE = node(0, "eth_getCode", TOKEN, "latest");
const DECIMALS = node(
  0,
  "eth_call",
  { to: TOKEN, data: "0x313ce567" },
  "latest",
);
const settled = (nth: number) =>
  node(nth, "eth_getBlockByNumber", `0x${(HEAD - 30).toString(16)}`, false);
const WORD = `0x${TOKEN.slice(2).padStart(64, "0")}`;
const LOGS = node(0, "eth_getLogs", {
  address: TOKEN,
  fromBlock: `0x${(HEAD - 2029).toString(16)}`,
  toBlock: `0x${(HEAD - 30).toString(16)}`,
  topics: [
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    WORD,
    WORD,
  ],
});
const UNUSED = "0x6669726e20646f63746f7220756e75736564000c";

/** Points of days, newest first, with equal or given values. */
export function points(newest: number, values: number | readonly number[]) {
  const list = typeof values === "number" ? [values] : values;
  return list.map((value, nth) => ({
    timestamp: (newest - nth) * DAY_SECONDS,
    value,
  }));
}
export const days = (newest: number, count: number, value = 864_000) =>
  points(newest, Array(count).fill(value));
export const page = (
  results: unknown[],
  nextPageToken: string | null = null,
) => ({
  results,
  nextPageToken,
});
/** Rows of the explorer index for the three days that are compared. */
const rows = (field: string, ...values: unknown[]) => ({
  status: "1",
  message: "OK",
  result: values.map((value, nth) => ({
    UTCDate: `2026-11-${12 + nth}`,
    [field]: value,
  })),
});
export const result = (value: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  result: value,
});
export const block = (secondsOld: number, hash = "0xabcdef0123456789") =>
  result({
    number: `0x${HEAD.toString(16)}`,
    hash,
    timestamp: `0x${(SUBJECT.now / 1000 - secondsOld).toString(16)}`,
  });
const validators = (...weights: string[]) =>
  result({
    validators: weights.map((weight) => ({
      weight,
      delegatorCount: "0",
      delegatorWeight: "0",
    })),
  });
export const record = (timeStamp: number) => ({
  ...{ from: "0x1", nonce: "1", gasUsed: "1", gasPrice: "1" },
  timeStamp: `${timeStamp}`,
});
export const listed = (...result: unknown[]) => ({
  status: "1",
  message: "OK",
  result,
});
const C_CHAIN = {
  evmChainId: 43_114,
  chainName: "C",
  blockchainId: "b",
  subnetId: "s",
};

/** A reply that is not a JSON body with status 200. */
class Other {
  constructor(readonly reply: Partial<Reply>) {}
}

type Answers = Readonly<Record<string, unknown>>;

/** Answers with which every assumption holds. */
const GOOD: Answers = {
  [CHAINS]: { chains: [C_CHAIN, { ...C_CHAIN, evmChainId: 7 }] },
  [PAGE]: page(days(TODAY - 1, 2160), "older"),
  [OLDER]: page(days(TODAY - 2161, 90)),
  [recent("txCount")]: page(days(TODAY - 1, 4)),
  [recent("feesPaid")]: page(days(TODAY - 1, 4, 0.5)),
  [recent("avgGasPrice")]: page(days(TODAY - 1, 4, 2e9)),
  [recent("maxGasPrice")]: page(days(TODAY - 1, 4, 3e9)),
  [recent("cumulativeTxCount")]: page(
    points(TODAY - 1, [5_000_000, 2_864_000, 2_000_000]),
  ),
  [recent("avgTps")]: page(points(TODAY - 1, [99, 10])),
  [UNKNOWN]: new Other({ status: 404, body: {} }),
  [STAKE]: page(points(TODAY - 1, 2e17)),
  [stats("dailytx")]: rows("transactionCount", "864000", "864000", "864000"),
  [stats("dailytxnfee")]: rows("transactionFee_Eth", "0.5", 2, 3),
  [stats("dailyblkcount")]: rows("blockCount", 50_000, 50_001, 50_002),
  [FORMS[0]!]: pairs(TODAY, Array(400).fill("7")),
  [FORMS[1]!]: pairs(TODAY, [1, 2, 3]),
  [recent("activeAddresses")]: page(points(TODAY - 1, [9, 200, 100])),
  [ADDRESSES]: pairs(TODAY, ["1", 2, "210", 95]),
  [records(TOKEN)]: listed(record(5), record(5)),
  [records(UNUSED)]: {
    ...{ status: "0", message: "No transactions found", result: [] },
  },
  [node(0, "eth_chainId")]: result("0xa86a"),
  [LATEST]: block(2),
  [FIRST_BLOCK]: result({
    ...{ number: "0x1", hash: "0x1", timestamp: "0x5f6b4b31" },
  }),
  [node(0, "eth_getTransactionCount", TOKEN, "latest")]: result("0x5"),
  [BATCH]: Array(40).fill(result("0x5")),
  [CODE]: result("0x00"),
  [DECIMALS]: result("0x6"),
  [LOGS]: result([{}, {}]),
  [settled(0)]: block(60),
  [settled(1)]: block(60),
  [VALIDATORS]: validators(`${15e16}`, `${5e16}`),
};

/** Sources that answer these questions, and no others. */
function sourcesWith(answers: Answers, nodes = ["one", "two"]): Sources {
  const ask = (question: string): Promise<Reply> => {
    if (!(question in answers)) throw new Error(`not expected: ${question}`);
    const body = answers[question];
    const reply = { status: 200, headers: new Headers(), error: null };
    return Promise.resolve(
      body instanceof Other
        ? { ...reply, body: null, ...body.reply }
        : { ...reply, body },
    );
  };
  const query = (params: Record<string, string>) =>
    `${new URLSearchParams(params)}`;
  return {
    nodes,
    metrics: (path, params = {}) => ask(`metrics ${path} ${query(params)}`),
    ownHosts: [],
    chainNodes: [],
    chainNode: (_, method, params) => ask(node(0, method, ...params)),
    metricsOf: (_, path, params) => ask(`metrics ${path} ${query(params)}`),
    explorer: (params) => ask(`explorer ${query(params)}`),
    index: (form, kind, chainId) => {
      const question = index(form, kind, chainId);
      return answers[question] === null ? null : ask(question);
    },
    node: (nth, method, params) => ask(node(nth, method, ...params)),
    batch: (size, method, params) =>
      ask(`batch ${size} ${method} ${JSON.stringify(params)}`),
    portal: null,
    platformChain: (method) => ask(`platformChain ${method}`),
    proofChains: [],
    proofNode: (chain, method) => ask(`${chain} ${method}`),
    countCalls: () => 0,
  };
}

/** Examines the assumption whose text starts so. */
export async function examine(
  start: string,
  answers: Answers = {},
  { nodes, ...subject }: Partial<typeof SUBJECT> & { nodes?: string[] } = {},
) {
  const found = ASSUMPTIONS.filter(({ text }) => text.startsWith(start));
  assertEquals(found.length, 1, start);
  const sources = sourcesWith({ ...GOOD, ...answers }, nodes);
  try {
    const { holds, seen } = await found[0]!.examine(sources, {
      ...SUBJECT,
      ...subject,
    });
    return [holds, seen] as const;
  } catch (error) {
    if (!(error instanceof NotExamined)) throw error;
    return [null, error.message] as const;
  }
}
