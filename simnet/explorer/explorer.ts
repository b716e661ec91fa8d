/** The explorer index: daily statistics and transaction lists of the C-Chain, in Etherscan's format. */
import {
  type BlockTimeline,
  blockTimeline,
  FIRST_BLOCK_DAY,
} from "../c_chain/blocks.ts";
import { DAY_SECONDS, dayAt, dayOf, isoDay } from "../series/days.ts";
import { answerAccount } from "./explorer_accounts.ts";
import {
  type ExplorerAnswer,
  listed,
  refuse,
  type Row,
} from "./explorer_answer.ts";
import { type ExplorerMetric, explorerValue } from "./explorer_days.ts";

/** The path of the explorer index. */
export const EXPLORER_PATH = "/v2/network/mainnet/evm/43114/etherscan/api";

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
  options: { readonly now: () => Date },
): (request: Request) => Promise<Response> {
  const timeline = blockTimeline();
  return function answerExplorer(request) {
    const { pathname, searchParams } = new URL(request.url);
    const response = pathname === EXPLORER_PATH
      ? Response.json(answer(searchParams, timeline, options.now().getTime()))
      : new Response("Not Found", { status: 404 });
    return Promise.resolve(response);
  };
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
