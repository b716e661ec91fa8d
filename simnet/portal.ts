/** A portal of SQD: the transactions of many addresses at once, as a stream of blocks. */
import { z } from "zod";
import { countRecords, recordTimeMs } from "./accounts.ts";
import {
  type BlockTimeline,
  blockTimeline,
  blockTimeMs,
} from "./c_chain/blocks.ts";
import { describeRecord } from "./explorer/explorer_accounts.ts";
import type { Row } from "./explorer/explorer_answer.ts";
import { hexBytes } from "./series/noise.ts";

/** The path of the C-Chain's dataset. */
export const PORTAL_PATH = "/datasets/avalanche-mainnet";

/** Blocks that one answer covers at most, so that a history takes several. */
const BLOCKS_PER_ANSWER = 40_000_000;

/** Rows of an address in one answer; the answer covers fewer blocks where there are more. */
const MAX_ROWS = 5_000;

/** Filters of one query: as many as the portal's own limit. */
const MAX_FILTERS = 100;

const Addresses = z.array(z.string().regex(/^0x[0-9a-f]{40}$/)).optional();

/** A query. The portal refuses unknown fields. */
const Query = z.strictObject({
  type: z.literal("evm"),
  fromBlock: z.int().nonnegative(),
  toBlock: z.int().nonnegative().optional(),
  fields: z.strictObject({
    block: z.record(z.enum(["number", "timestamp"]), z.boolean()).optional(),
    transaction: z.partialRecord(
      z.enum([
        "hash",
        "from",
        "to",
        "value",
        "sighash",
        "nonce",
        "gasUsed",
        "effectiveGasPrice",
        "status",
      ]),
      z.boolean(),
    ).optional(),
  }),
  transactions: z.array(z.strictObject({ from: Addresses, to: Addresses }))
    .max(MAX_FILTERS),
});
type Query = z.infer<typeof Query>;

/** A transaction and its block. */
interface Found {
  readonly block: number;
  readonly tx: Record<string, unknown>;
}

/** Returns a handler that answers like a portal. */
export function portal(
  { now }: { readonly now: () => Date },
): (request: Request) => Promise<Response> {
  const timeline = blockTimeline();
  return async function answerPortal(request) {
    const { pathname } = new URL(request.url);
    const nowMs = now().getTime();
    const head = timeline.headAt(nowMs);
    if (pathname === `${PORTAL_PATH}/finalized-head`) {
      return Response.json({ number: head, hash: hashOf(head) });
    }
    if (pathname !== `${PORTAL_PATH}/finalized-stream`) {
      return refuse(404, "not_found");
    }
    const json = await request.json().catch(() => null);
    const { data: query, error } = Query.safeParse(json);
    if (error) return refuse(400, "malformed_request");
    const headers = {
      "Content-Type": "application/jsonl",
      "X-Sqd-Finalized-Head-Number": `${head}`,
      "X-Sqd-Finalized-Head-Hash": hashOf(head),
      "X-Sqd-Head-Number": `${head}`,
    };
    if (query.fromBlock > head) {
      return new Response(null, { status: 204, headers });
    }
    return new Response(
      listLines(query, timeline, { head, nowMs })
        .map((line) => `${JSON.stringify(line)}\n`).join(""),
      { headers },
    );
  };
}

function hashOf(block: number): string {
  return `0x${hexBytes("block", block, 32)}`;
}

/** Lists the blocks of an answer: the first and the last one it covers, and those with transactions. */
function listLines(
  { fromBlock, toBlock = Infinity, fields, transactions }: Query,
  timeline: BlockTimeline,
  { head, nowMs }: { readonly head: number; readonly nowMs: number },
) {
  const from = new Set(transactions.flatMap(({ from = [] }) => from));
  const to = new Set(transactions.flatMap(({ to = [] }) => to));
  const found: Found[] = [];
  let last = Math.min(head, toBlock, fromBlock + BLOCKS_PER_ANSWER - 1);
  for (const address of from.union(to)) {
    const count = countRecords(address, nowMs);
    const blockOf = (index: number) =>
      timeline.headAt(recordTimeMs(address, index, nowMs));
    let index = firstOf(count, (index) => blockOf(index) >= fromBlock);
    let newest = -1;
    for (let rows = 0; index < count; index++) {
      const block = blockOf(index);
      if (block > last) break;
      const row = describeRecord(address, index, { timeline, nowMs });
      if (!(row.from === address ? from : to).has(address)) continue;
      if (rows >= MAX_ROWS && block > newest) {
        last = block - 1;
        break;
      }
      rows++;
      newest = block;
      found.push({ block, tx: txOf(row) });
    }
  }
  const blocks = Map.groupBy(
    found.filter(({ block }) => block <= last),
    ({ block }) => block,
  );
  const numbers = new Set([fromBlock, ...blocks.keys(), last]);
  return [...numbers].sort((a, b) => a - b).map((number) => ({
    header: chosen({ number, timestamp: timeOf(number, timeline) }, {
      ...fields.block,
      number: true,
    }),
    ...blocks.has(number) && {
      transactions: blocks.get(number)!
        .map(({ tx }) => chosen(tx, fields.transaction)),
    },
  }));
}

/** Returns the first index for which `holds` is true, given that it then stays true. */
function firstOf(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the time of a block in seconds; 0 for block 0. */
function timeOf(block: number, timeline: BlockTimeline): number {
  if (block === 0) return 0;
  return Math.floor(blockTimeMs(timeline.placeOf(block)) / 1_000);
}

/** Returns the fields that a query chooses. */
function chosen(
  item: Record<string, unknown>,
  fields: Readonly<Record<string, boolean>> = {},
) {
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => fields[name] === true),
  );
}

/** Returns a transaction of the explorer index as the portal describes it. */
function txOf(row: Row): Record<string, unknown> {
  const input = `${row.input}`;
  return {
    hash: row.hash,
    from: row.from,
    to: row.to,
    value: hex(row.value),
    sighash: input.length < 10 ? "0x" : input.slice(0, 10),
    nonce: Number(row.nonce),
    gasUsed: hex(row.gasUsed),
    effectiveGasPrice: hex(row.gasPrice),
    status: Number(row.txreceipt_status),
  };
}

function hex(decimal: number | string | undefined): string {
  return `0x${BigInt(decimal ?? 0).toString(16)}`;
}

function refuse(status: number, code: string): Response {
  const type = "invalid_request_error";
  const message = "Simulated refusal";
  return Response.json({ error: { type, code, message } }, { status });
}
