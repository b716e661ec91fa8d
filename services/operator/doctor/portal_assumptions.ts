/** Assumptions about the portal, and what its documents leave open: blocks of an answer, addresses of a query, lag. */
import { z } from "zod";
import { HexNumber } from "../../platform/http/numeric_schema.ts";
import {
  MAX_ADDRESSES,
  PORTAL_CALLS,
  SCAN_MS,
  streamQuery,
} from "../../scores/signals/portal_accounts_client.ts";
import {
  type Assumption,
  assumptionsAbout,
  hasShape,
  requirePart,
} from "./assumption.ts";
import { BlockResult, hexOf } from "./node_assumptions.ts";
import type { Sources } from "./sources_client.ts";

/** Lag above which the newest transactions of many addresses are missing. */
const MAX_LAG_SECONDS = 900;

/** Requests that a scan may make at the public rate. */
const MAX_REQUESTS = Math.floor(PORTAL_CALLS.perSecond! * SCAN_MS / 1000);

/** Newest blocks in which transactions of a much used contract are looked for, more if there are none. */
const RANGES = [2_000, 200_000];

const Head = z.object({ number: z.int().positive() });

const lines = <T extends z.ZodType>(transaction: T) =>
  z.array(z.object({
    header: z.object({
      number: z.int().nonnegative(),
      timestamp: z.int().nonnegative(),
    }),
    transactions: z.array(transaction).optional(),
  })).min(1);

const Blocks = lines(z.unknown());

/** A transaction with the fields that are read. */
const Transactions = lines(z.object({
  hash: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  value: HexNumber,
  sighash: z.string().nullish(),
  nonce: z.int().nonnegative(),
  gasUsed: HexNumber,
  effectiveGasPrice: HexNumber,
  status: z.int(),
})).transform((blocks) =>
  blocks.flatMap(({ transactions = [] }) => transactions)
);

/** Addresses that nobody has the key of. */
const NOBODIES = Array.from(
  { length: MAX_ADDRESSES },
  (_, nth) => `0x6669726e20646f63746f72${nth.toString(16).padStart(18, "0")}`,
);

async function readHead(sources: Sources): Promise<number> {
  return requirePart(await sources.portal!.head(), Head).number;
}

/** Returns how many blocks one answer covers from a block on. */
async function coverFrom(sources: Sources, fromBlock: number) {
  const query = streamQuery({ fromBlock, from: [NOBODIES[0]!], to: [] });
  const blocks = requirePart(await sources.portal!.stream(query), Blocks);
  return blocks.at(-1)!.header.number - fromBlock + 1;
}

const CLIENT =
  "SQD_PORTAL_URL, services/scores/signals/portal_accounts_client.ts";

const about = assumptionsAbout("SQD Portal");

/** What the code assumes of the portal. */
export const PORTAL_ASSUMPTIONS: readonly Assumption[] = [
  about(
    `a query of ${MAX_ADDRESSES} addresses is answered, with the fields that are read`,
    CLIENT,
    async (sources, { token }) => {
      const head = await readHead(sources);
      const addresses = [token, ...NOBODIES.slice(1)];
      const readNewest = (blocks: number) =>
        sources.portal!.stream({
          ...streamQuery({
            fromBlock: Math.max(0, head - blocks),
            from: addresses,
            to: addresses,
          }),
          toBlock: head,
        });
      let reply = await readNewest(RANGES[0]!);
      const { data } = Transactions.safeParse(reply.body);
      if (data?.length === 0) reply = await readNewest(RANGES[1]!);
      return hasShape(reply, Transactions, (found) => ({
        holds: found.length > 0,
        seen: `${found.length} transactions`,
      }));
    },
  ),
  about(
    `the newest finalized block is at most ${MAX_LAG_SECONDS} s old`,
    CLIENT,
    async (sources, { now }) => {
      const head = await readHead(sources);
      const reply = await sources.node(0, "eth_getBlockByNumber", [
        hexOf(head),
        false,
      ]);
      const { timestamp } = requirePart(reply, BlockResult);
      const lag = Math.round(now / 1000 - timestamp);
      return {
        holds: lag <= MAX_LAG_SECONDS,
        seen: `block ${head}, ${lag} s old`,
      };
    },
  ),
  about(
    `a scan of the chain takes at most ${MAX_REQUESTS} requests`,
    `${CLIENT}, SQD_PORTAL_CALLS_PER_SECOND`,
    async (sources) => {
      const head = await readHead(sources);
      const half = Math.floor(head / 2);
      const covered = [
        await coverFrom(sources, 0),
        await coverFrom(sources, half),
      ];
      const requests = covered.reduce(
        (sum, blocks) => sum + Math.ceil(half / blocks),
        0,
      );
      return {
        holds: requests <= MAX_REQUESTS,
        seen: `${requests}: ${covered.join(" and ")} blocks an answer`,
      };
    },
  ),
];
