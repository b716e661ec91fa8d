/** Blocks of the C-Chain, read from its RPC. */
import type { PublicClient } from "viem";
import { z } from "zod";
import { C_CHAIN } from "../metrics_schema.ts";
import {
  type BlockSearch,
  type BlockTime,
  type FirstBlock,
  narrow,
  nextStep,
  startSearch,
  type Step,
} from "./block_search.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../../platform/fault.ts";
import type { Http } from "../../platform/http/http_client.ts";
import {
  C_CHAIN_RPC,
  parseUrls,
  rpcClient,
} from "../../platform/http/viem_client.ts";
import { nameSource, type Sourced } from "../../platform/http/source.ts";

/** A height or a time in seconds, exact as a number. */
const Exact = z.bigint().nonnegative()
  .max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

/** The fields that are read of a block; `timestampMilliseconds` is not on all of them. */
const Block = z.object({ number: Exact, timestamp: Exact })
  .transform(({ number, timestamp }) => ({ height: number, timestamp }));

/** The C-Chain at the first URL of a comma list; `chainId` is the chain it must be. */
export function cChain(
  http: Http,
  urls: string,
  { chainId = C_CHAIN }: { readonly chainId?: number } = {},
) {
  const [url = urls] = parseUrls(urls);
  const { host } = new URL(url);
  const run = rpcClient(http, { url, chainId, name: C_CHAIN_RPC });

  /** The newest block seen: the node has it, and all below. */
  let newest: BlockTime | null = null;

  async function readHead(client: PublicClient): Promise<BlockTime> {
    newest = await findBlock(client);
    if (!newest) throw upstreamDown(host, "the newest block is missing");
    return newest;
  }

  /** Starts between anchors that the node has, or below its head. */
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

  async function follow(
    client: PublicClient,
    search: BlockSearch,
  ): Promise<Exclude<Step, { kind: "probe" }>> {
    const step = nextStep(search);
    if (step.kind !== "probe") return step;
    const block = await findBlock(client, step.height);
    return block ? follow(client, narrow(search, block)) : { kind: "disorder" };
  }

  return {
    /** URL of the RPC in use. */
    url,

    /** What it is called before it has answered. */
    source: nameSource(C_CHAIN_RPC, { host, simulated: false }),

    /**
     * Finds the first block at or after an instant, in seconds since 1970; null
     * where the chain has none yet. Anchors save calls and cannot spoil the
     * answer: where blocks contradict them, the search starts anew without.
     */
    findFirstBlock(
      instant: number,
      anchors: readonly BlockTime[],
      options: CallOptions,
    ): Promise<Sourced<FirstBlock | null>> {
      return run(options, async (client) => {
        let end = await follow(
          client,
          await openSearch(client, instant, anchors),
        );
        if (end.kind === "disorder") {
          end = await follow(client, await openSearch(client, instant, []));
        }
        if (end.kind === "disorder") {
          throw upstreamDown(host, "blocks contradict each other");
        }
        return end.kind === "found" ? end.found : null;
      });
    },
  };
}

/** The C-Chain client. */
export type CChain = ReturnType<typeof cChain>;

/** Reads a block of a height or the newest; null where the node has none. */
async function findBlock(
  client: PublicClient,
  height?: number,
): Promise<BlockTime | null> {
  try {
    const block = Block.parse(
      await client.getBlock(
        height === undefined ? {} : { blockNumber: BigInt(height) },
      ),
    );
    return height === undefined || block.height === height ? block : null;
  } catch (error) {
    const isMissing = error instanceof Error &&
      error.name === "BlockNotFoundError";
    if (isMissing) return null;
    throw error;
  }
}
