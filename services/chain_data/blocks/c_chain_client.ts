/** Client of a node of the C-Chain or of another EVM chain: finds the first block at or after an instant. */
import type { FirstBlock } from "../checks/measurements.ts";
import type { PublicClient } from "viem";
import { z } from "zod";
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import {
  type BlockSearch,
  type BlockTime,
  narrow,
  nextStep,
  startSearch,
  type Step,
} from "./block_search.ts";
import type { DailyValue } from "../series/series.ts";
import { dayAt, startOfDay } from "../../platform/days.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../../platform/fault.ts";
import type { Http } from "../../platform/http/http_client.ts";
import {
  C_CHAIN_RPC,
  nullIfNotFound,
  rpcClient,
} from "../../platform/http/rpc_client.ts";
import {
  nameSource,
  type Sourced,
} from "../../platform/http/upstream_answer.ts";

/** A height, or a timestamp in seconds, as a safe integer. */
const Exact = z.bigint().nonnegative()
  .max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

/** The hashes of the transactions of a block. */
const Transactions = z.object({ transactions: z.array(z.string()) });

/** The fields of a block that are used. */
const Block = z.object({ number: Exact, timestamp: Exact })
  .transform(({ number, timestamp }) => ({ height: number, timestamp }));

/** Creates a client of a node. It rejects a node of another chain. */
export function cChain(
  http: Http,
  url: string,
  { chainId = C_CHAIN, name = C_CHAIN_RPC }: {
    readonly chainId?: number;
    /** Its name as a source. */
    readonly name?: string;
  } = {},
) {
  const { host } = new URL(url);
  const { run } = rpcClient(http, { url, chainId, name });

  /** The newest block seen. The node has it and all blocks below it. */
  let newest: BlockTime | null = null;

  async function readHead(client: PublicClient): Promise<BlockTime> {
    newest = await findBlock(client);
    if (!newest) throw upstreamDown(host, "the newest block is missing");
    return newest;
  }

  /** Starts a search between the anchors, or below the head if the anchors do not enclose the instant. */
  async function openSearch(
    client: PublicClient,
    instant: number,
    anchors: readonly BlockTime[],
  ): Promise<BlockSearch> {
    const search = startSearch(instant, anchors);
    const { above } = search;
    if (above && newest && above.height <= newest.height) return search;
    const head = await readHead(client);
    const below = anchors.filter(({ height }) => height < head.height);
    return startSearch(instant, [...below, head]);
  }

  async function runSearch(
    client: PublicClient,
    search: BlockSearch,
  ): Promise<Exclude<Step, { kind: "probe" }>> {
    const step = nextStep(search);
    if (step.kind !== "probe") return step;
    const block = await findBlock(client, step.height);
    return block
      ? runSearch(client, narrow(search, block))
      : { kind: "disorder" };
  }

  async function searchFirst(
    client: PublicClient,
    instant: number,
    anchors: readonly BlockTime[],
  ): Promise<FirstBlock | null> {
    let end = await runSearch(
      client,
      await openSearch(client, instant, anchors),
    );
    if (end.kind === "disorder") {
      end = await runSearch(client, await openSearch(client, instant, []));
    }
    if (end.kind === "disorder") {
      throw upstreamDown(host, "blocks contradict each other");
    }
    return end.kind === "found" ? end.found : null;
  }

  return {
    /** URL of the RPC in use. */
    url,

    /** Name of the source before the first response. */
    source: nameSource(name, { host, simulated: false }),

    /**
     * Finds the first block at or after an instant, in seconds since 1970. Returns
     * null if the chain has none yet. Anchors save calls. If a block contradicts
     * them, the search starts again without anchors.
     */
    findFirstBlock(
      instant: number,
      anchors: readonly BlockTime[],
      options: CallOptions,
    ): Promise<Sourced<FirstBlock | null>> {
      return run(options, (client) => searchFirst(client, instant, anchors));
    },

    /**
     * Reads the day of the first block from a day on, and how many transactions the
     * block has. Returns null if the chain has no such block.
     */
    readFirstActivity(
      day: number,
      options: CallOptions,
    ): Promise<Sourced<DailyValue | null>> {
      return run(options, async (client) => {
        const found = await searchFirst(client, startOfDay(day) / 1000, []);
        if (found === null) return null;
        const { firstBlock, firstBlockTimestamp } = found;
        const { transactions } = Transactions.parse(
          await client.getBlock({ blockNumber: BigInt(firstBlock) }),
        );
        return {
          day: dayAt(firstBlockTimestamp * 1000),
          value: transactions.length,
        };
      });
    },
  };
}

/** The C-Chain client. */
export type CChain = ReturnType<typeof cChain>;

/** Fetches the block at a height, or the newest block. Returns null if the node has none. */
async function findBlock(
  client: PublicClient,
  height?: number,
): Promise<BlockTime | null> {
  const found = await nullIfNotFound(
    client.getBlock(
      height === undefined ? {} : { blockNumber: BigInt(height) },
    ),
  );
  if (found === null) return null;
  const block = Block.parse(found);
  return height === undefined || block.height === height ? block : null;
}
