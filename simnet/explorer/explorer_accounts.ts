/** The explorer index's transaction list of an address. */
import { countRecords, nonceOf, recordTimeMs } from "../accounts.ts";
import { type BlockTimeline, blockTimeMs } from "../c_chain/blocks.ts";
import { dayOf } from "../series/days.ts";
import {
  type ExplorerAnswer,
  listed,
  refuse,
  type Row,
} from "./explorer_answer.ts";
import { hexBytes, unit } from "../series/noise.ts";

/** Maximum number of records over all pages. */
const WINDOW_RECORDS = 10_000;

/** Maximum number of records on a page, whatever `offset` says. */
const PAGE_RECORDS = 5_000;

/** The day on which the minimum base fee fell from 25 to 1 nAVAX. */
const CHEAP_DAY = dayOf("2024-12-16");

/** Answers `module=account` like the explorer index. */
export function answerAccount(
  params: URLSearchParams,
  timeline: BlockTimeline,
  nowMs: number,
): ExplorerAnswer {
  if (params.get("action") !== "txlist") return refuse("action name");
  const address = params.get("address")?.toLowerCase() ?? "";
  if (!/^0x[0-9a-f]{40}$/.test(address)) return refuse("address format");
  const page = readCount(params.get("page"), 1);
  const offset = readCount(params.get("offset"), WINDOW_RECORDS);
  if (page * offset > WINDOW_RECORDS) {
    const message = "Result window is too large, PageNo x Offset size must " +
      `be less than or equal to ${WINDOW_RECORDS}`;
    return { status: "0", message, result: null };
  }
  const count = countRecords(address, nowMs);
  const start = (page - 1) * offset;
  const end = Math.min(count, start + Math.min(offset, PAGE_RECORDS));
  const isNewestFirst = params.get("sort") === "desc";
  const rows: Row[] = [];
  for (let place = start; place < end; place++) {
    const index = isNewestFirst ? count - 1 - place : place;
    rows.push(describeRecord(address, index, { timeline, nowMs }));
  }
  return listed(rows, "No transactions found");
}

/** Returns a record of an address as a row. */
export function describeRecord(
  address: string,
  index: number,
  { timeline, nowMs }: { timeline: BlockTimeline; nowMs: number },
): Row {
  const block = timeline.headAt(recordTimeMs(address, index, nowMs));
  const place = timeline.placeOf(block);
  const draw = (what: string) => unit(`${what}/${address}`, index);
  const peer = `0x${hexBytes(`peer/${address}`, index % 40, 20)}`;
  const nonce = nonceOf(address, index);
  const gas = Math.floor(draw("gas") < 0.4 ? 21_000 : 400_000 * draw("gas"));
  const nAvax = place.day < CHEAP_DAY ? 25 + 10 * draw("fee") : 1 + draw("fee");
  const isError = draw("error") < 0.03 ? "1" : "0";
  return {
    blockNumber: `${block}`,
    timeStamp: `${Math.floor(blockTimeMs(place) / 1_000)}`,
    hash: `0x${hexBytes(`tx/${address}`, index, 32)}`,
    nonce: `${nonce ?? Math.floor(1_000 * draw("nonce"))}`,
    from: nonce === null ? peer : address,
    to: nonce === null ? address : peer,
    value: `${Math.floor(1e9 * draw("value"))}000000000`,
    gas: `${2 * gas}`,
    gasPrice: `${Math.floor(nAvax * 1e9)}`,
    gasUsed: `${gas}`,
    isError,
    txreceipt_status: isError === "1" ? "0" : "1",
    input: gas === 21_000 ? "0x" : `0xa9059cbb${hexBytes("input", index, 64)}`,
  };
}

function readCount(text: string | null, fallback: number): number {
  const count = Number(text ?? fallback);
  return Number.isInteger(count) && count > 0 ? count : fallback;
}
