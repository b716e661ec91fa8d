/**
 * The explorer index: daily statistics and transaction lists of the C-Chain in
 * Etherscan's format, and daily totals of other chains.
 */
import {
  type BlockTimeline,
  blockTimeline,
  FIRST_BLOCK_DAY,
} from "../c_chain/blocks.ts";
import { C_CHAIN_ID, type Chain, listChains } from "../chains.ts";
import { DAY_SECONDS, dayAt, dayOf, isoDay } from "../series/days.ts";
import { answerAccount } from "./explorer_accounts.ts";
import {
  type ExplorerAnswer,
  listed,
  refuse,
  type Row,
} from "./explorer_answer.ts";
import {
  type ExplorerMetric,
  explorerValue,
  listChainDays,
} from "./explorer_days.ts";

/** The path below which every chain has its part. */
export const EXPLORER_BASE_PATH = "/v2/network/mainnet/evm";

/** The path of the C-Chain's API. */
export const EXPLORER_PATH =
  `${EXPLORER_BASE_PATH}/${C_CHAIN_ID}/etherscan/api`;

interface Action {
  readonly metric: ExplorerMetric;
  /** Formats the value: the real index mixes numbers and decimal strings. */
  readonly write: (value: number) => Row;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  dailytx: {
    metric: "txCount",
    write: (transactionCount) => ({ transactionCount }),
  },
  dailytxnfee: {
    metric: "feesPaid",
    write: (fees) => ({ transactionFee_Eth: fees.toFixed(18) }),
  },
  dailyblkcount: {
    metric: "blockCount",
    write: (blocks) => ({ blockCount: `${blocks}` }),
  },
};

/** Returns a handler that answers like the explorer index. Every error is a 200 with status "0". */
export function explorer(
  { now, chains: count }: {
    readonly now: () => Date;
    /** Number of chains of the network. The index knows only real ones. */
    readonly chains?: number | undefined;
  },
): (request: Request) => Promise<Response> {
  const timeline = blockTimeline();
  const chains = new Map(
    listChains(count).map((chain) => [`${chain.evmChainId}`, chain]),
  );
  return function answerExplorer(request) {
    const { pathname, searchParams: params } = new URL(request.url);
    const path = pathname.slice(EXPLORER_BASE_PATH.length + 1);
    const nowMs = now().getTime();
    const body = pathname === EXPLORER_PATH
      ? answer(params, timeline, nowMs)
      : answerOfChain(path, params, { chains, nowMs });
    return Promise.resolve(
      body === null
        ? new Response("Not Found", { status: 404 })
        : Response.json(body),
    );
  };
}

/** Answers the daily totals of a chain; null for an unknown path. */
function answerOfChain(
  path: string,
  params: URLSearchParams,
  { chains, nowMs }: {
    readonly chains: ReadonlyMap<string, Chain>;
    readonly nowMs: number;
  },
) {
  const kind = /^all\/aggregations\/(txs|addresses)$/.exec(path)?.[1];
  if (kind !== undefined) {
    const chain = chains.get(params.get("includedChainIds") ?? "");
    const metric = kind === "txs" ? "txCount" : "activeAddresses";
    return listChainDays(chain, metric, nowMs)
      .map(({ day, value }) => [`${isoDay(day)}T00:00:00.000Z`, `${value}`]);
  }
  const chainId = /^(\d+)\/etherscan\/api$/.exec(path)?.[1];
  if (chainId === undefined) return null;
  if (params.get("action") !== "dailytxnfee") return refuse("action name");
  const { write } = ACTIONS.dailytxnfee!;
  const from = readDay(params.get("startdate"), 0);
  const to = readDay(params.get("enddate"), Infinity);
  if (from === null || to === null) return refuse("date format (yyyy-MM-dd)");
  return listed(
    listChainDays(chains.get(chainId), "feesPaid", nowMs)
      .filter(({ day }) => from <= day && day <= to)
      .map(({ day, value }) => ({ ...dates(day), ...write(value) })),
    "No records found",
  );
}

function answer(
  params: URLSearchParams,
  timeline: BlockTimeline,
  nowMs: number,
): ExplorerAnswer {
  const module = params.get("module");
  if (module === "account") return answerAccount(params, timeline, nowMs);
  if (module !== "stats") return refuse("module name");
  const name = params.get("action") ?? "";
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) return refuse("action name");
  const today = dayAt(nowMs);
  const from = readDay(params.get("startdate"), FIRST_BLOCK_DAY);
  const to = readDay(params.get("enddate"), today);
  if (from === null || to === null) return refuse("date format (yyyy-MM-dd)");

  const rows: Row[] = [];
  const lastDay = Math.min(to, today);
  for (let day = Math.max(from, FIRST_BLOCK_DAY); day <= lastDay; day++) {
    const value = explorerValue(action.metric, day, timeline, nowMs);
    if (value !== null) rows.push({ ...dates(day), ...action.write(value) });
  }
  if (params.get("sort") === "desc") rows.reverse();
  return listed(rows, "No records found");
}

function dates(day: number): Row {
  return { UTCDate: isoDay(day), unixTimeStamp: `${day * DAY_SECONDS}` };
}

function readDay(date: string | null, fallback: number): number | null {
  if (date === null) return fallback;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? dayOf(date) : NaN;
  return Number.isNaN(day) ? null : day;
}
