/** Assumptions about the nodes of the C-Chain and of the platform chain. */
import { z } from "zod";
import { C_CHAIN } from "../../chain_data/catalogue/metrics_schema.ts";
import {
  AVAX_HASH,
  AVVY_CONTRACTS,
  AVVY_FUNCTIONS,
  EVM_ADDRESS,
  numbersOf,
} from "../../profiles/avax_names_client.ts";
import { padded } from "../../payments/c_chain_transfers_client.ts";
import { ADDRESS } from "../../platform/address_schema.ts";
import { MAX_BATCH, WholeNumber } from "../../platform/http/numeric_schema.ts";
import {
  type Assumption,
  assumptionsAbout,
  hasShape,
  isNear,
  NotExamined,
  requirePart,
} from "./assumption.ts";
import { newestStake } from "./metrics_api_assumptions.ts";
import type { Sources } from "./sources_client.ts";

/** Age of the newest block at which a node is behind, and the same ahead of this clock. */
const MAX_DRIFT_SECONDS = 300;

/** Blocks in one call for logs, as in the scan for payments. */
const LOG_BLOCKS = 2_000;

/** A height below the head that every node has. */
const SETTLED_BLOCKS = 30;

/** The selector of `decimals()` (ERC-20). */
const DECIMALS = "0x313ce567";

/** Difference of the two sources of the stake: the Metrics API is up to 3.4 % low. */
const STAKE_PERCENT = 10;

const Hex = z.string().regex(/^0x[0-9a-f]+$/i, "not hexadecimal");
const Quantity = Hex.transform(Number);

const Outcome = z.object({
  error: z.object({ message: z.string() }).optional(),
  result: z.unknown(),
});

/** The result of a call. An error of the node is a problem of the schema. */
export const result = <T extends z.ZodType>(schema: T) =>
  z.unknown().transform((body, context) => {
    const { data } = Outcome.safeParse(body);
    if (data !== undefined && data.error === undefined) return data.result;
    const message = data?.error?.message ?? "neither a result nor an error";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }).pipe(schema);

/** A block as the answer of a node has it. */
export const BlockResult = result(z.object({
  number: Quantity,
  hash: Hex,
  timestamp: Quantity,
}));

const Validators = result(z.object({
  validators: z.array(z.object({
    weight: WholeNumber,
    delegatorCount: WholeNumber,
    delegatorWeight: WholeNumber,
  })).min(1),
}));

const readHead = (sources: Sources) =>
  sources.node(0, "eth_getBlockByNumber", ["latest", false]);

/** Returns a height as nodes write it. */
export const hexOf = (height: number) => `0x${height.toString(16)}`;

async function readSettled(sources: Sources, nth: number) {
  const head = requirePart(await readHead(sources), BlockResult).number;
  const height = hexOf(head - SETTLED_BLOCKS);
  return await sources.node(nth, "eth_getBlockByNumber", [height, false]);
}

const about = assumptionsAbout("C-Chain node");

/** What the code assumes of the C-Chain's nodes. */
export const C_CHAIN_ASSUMPTIONS: readonly Assumption[] = [
  about(
    "the node serves the chain of CHAIN_ID",
    "C_CHAIN_RPC_URL, CHAIN_ID",
    async (sources, { chainId }) =>
      hasShape(
        await sources.node(0, "eth_chainId", []),
        result(Quantity),
        (served) => ({ holds: served === chainId, seen: `chain ${served}` }),
      ),
  ),
  about(
    `the newest block has number, hash and time, and is within ${MAX_DRIFT_SECONDS} s of this clock`,
    "C_CHAIN_RPC_URL, services/chain_data/blocks/c_chain_client.ts",
    async (sources, { now }) =>
      hasShape(
        await readHead(sources),
        BlockResult,
        ({ number, timestamp }) => {
          const age = Math.round(now / 1000) - timestamp;
          return {
            holds: Math.abs(age) <= MAX_DRIFT_SECONDS,
            seen: `block ${number}, ${
              age < 0 ? `${-age} s ahead of this clock` : `${age} s old`
            }`,
          };
        },
      ),
  ),
  about(
    "the node has old blocks: block 1 is of 2020-09-23",
    "C_CHAIN_RPC_URL, services/chain_data/blocks/block_search.ts",
    async (sources, { chainId }) => {
      if (chainId !== C_CHAIN) throw new NotExamined("another chain");
      const reply = await sources.node(0, "eth_getBlockByNumber", [
        "0x1",
        false,
      ]);
      return hasShape(reply, BlockResult, ({ timestamp }) => {
        const seen = new Date(timestamp * 1000).toISOString();
        return { holds: seen.startsWith("2020-09-23"), seen };
      });
    },
  ),
  about(
    "the number of sent transactions of an address can be read",
    "services/scores/signals/c_chain_accounts_client.ts",
    async (sources, { token }) =>
      hasShape(
        await sources.node(0, "eth_getTransactionCount", [token, "latest"]),
        result(Quantity),
        (count) => ({ holds: true, seen: `${count}` }),
      ),
  ),
  about(
    `a batch of ${MAX_BATCH} calls is answered`,
    "MAX_BATCH in services/platform/http/numeric_schema.ts",
    async (sources, { token }) =>
      hasShape(
        await sources.batch(MAX_BATCH, "eth_getTransactionCount", [
          token,
          "latest",
        ]),
        z.array(result(Quantity)),
        ({ length }) => ({
          holds: length === MAX_BATCH,
          seen: `${length} answers`,
        }),
      ),
  ),
  about(
    "the code of a contract can be read, and USDC_ADDRESS is one",
    "USDC_ADDRESS, services/scores/signals/c_chain_accounts_client.ts",
    async (sources, { token }) =>
      hasShape(
        await sources.node(0, "eth_getCode", [token, "latest"]),
        result(z.string().startsWith("0x")),
        (code) => ({
          holds: code.length > 2,
          seen: `${code.length / 2 - 1} bytes`,
        }),
      ),
  ),
  about(
    "the token of USDC_ADDRESS has 6 decimals",
    "USDC_ADDRESS, services/payments/plans_schema.ts",
    async (sources, { token }) =>
      hasShape(
        await sources.node(0, "eth_call", [
          { to: token, data: DECIMALS },
          "latest",
        ]),
        result(Quantity),
        (decimals) => ({ holds: decimals === 6, seen: `${decimals}` }),
      ),
  ),
  about(
    `logs of ${LOG_BLOCKS} blocks come in one answer`,
    "jobs/find_payments.ts",
    async (sources, { token }) => {
      const head = requirePart(await readHead(sources), BlockResult).number;
      const toBlock = head - SETTLED_BLOCKS;
      const reply = await sources.node(0, "eth_getLogs", [{
        address: token,
        fromBlock: hexOf(toBlock - LOG_BLOCKS + 1),
        toBlock: hexOf(toBlock),
        // Transfers from the token to itself: hardly any, so the answer is small.
        topics: [TRANSFER, padded(token), padded(token)],
      }]);
      return hasShape(reply, result(z.array(z.unknown())), (logs) => ({
        holds: true,
        seen: `${logs.length} logs`,
      }));
    },
  ),
  about(
    "two nodes agree on a block",
    "C_CHAIN_RPC_URL",
    async (sources) => {
      const [, second] = sources.nodes;
      if (second === undefined) throw new NotExamined("one node is set");
      const ours = requirePart(await readSettled(sources, 0), BlockResult);
      return hasShape(
        await readSettled(sources, 1),
        BlockResult,
        ({ hash }) => ({
          holds: hash === ours.hash,
          seen: `${hash.slice(0, 10)}… and ${ours.hash.slice(0, 10)}…`,
        }),
      );
    },
  ),
];

/** What the code assumes of a chain's own node. */
export function chainNodeAssumption(
  { chainId, host }: Sources["chainNodes"][number],
): Assumption {
  const ask = (sources: Sources, method: string, params: readonly unknown[]) =>
    sources.chainNode(chainId, method, params);
  return {
    source: host,
    text:
      `the node serves chain ${chainId}, and lists the transactions of a block`,
    look: "CHAIN_RPC_URLS, services/chain_data/blocks/c_chain_client.ts",
    async examine(sources) {
      const served = requirePart(
        await ask(sources, "eth_chainId", []),
        result(Quantity),
      );
      return hasShape(
        await ask(sources, "eth_getBlockByNumber", ["latest", false]),
        result(z.object({ timestamp: Quantity, transactions: z.array(Hex) })),
        ({ transactions: { length } }) => ({
          holds: served === chainId,
          seen: `chain ${served}, ${length} transactions in the newest block`,
        }),
      );
    },
  };
}

/** The topic of `Transfer(address,address,uint256)` (ERC-20). */
const TRANSFER =
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const readValidators = (sources: Sources) =>
  sources.platformChain("platform.getCurrentValidators");

/** What the code assumes of the platform chain's node. */
export const P_CHAIN_ASSUMPTIONS: readonly Assumption[] = [
  {
    source: "P-Chain node",
    text: "validators have weight, delegatorCount and delegatorWeight",
    look:
      "P_CHAIN_RPC_URL, services/chain_data/validators/platform_chain_client.ts",
    examine: async (sources) =>
      hasShape(
        await readValidators(sources),
        Validators,
        ({ validators }) => ({
          holds: true,
          seen: `${validators.length} validators`,
        }),
      ),
  },
  {
    source: "P-Chain node",
    text:
      `the stake differs from the Metrics API by at most ${STAKE_PERCENT} %`,
    look: "services/chain_data/validators/validators.ts",
    async examine(sources) {
      const { validators } = requirePart(
        await readValidators(sources),
        Validators,
      );
      const stake = validators.reduce((sum, one) => sum + one.weight, 0n);
      const published = await newestStake(sources);
      const percent = 100 * (Number(stake) / published - 1);
      return {
        holds: isNear(Number(stake), published, STAKE_PERCENT),
        seen: `${percent.toFixed(1)} %`,
      };
    },
  },
];

/** Where the contracts of names are. */
const NAMES = "AVAX_NAMES, services/profiles/avax_names_client.ts";

/** A name of Avvy Domains itself. */
const KNOWN_NAME = "avvydomains.avax";

/** What the code assumes of the contracts of names. */
export const NAME_ASSUMPTIONS: readonly Assumption[] = [
  about(
    "the contract of Avvy Domains hashes avax as their client does",
    NAMES,
    async (sources) => {
      const { encodeFunctionData, parseAbi } = await import("viem");
      const data = encodeFunctionData({
        abi: parseAbi(AVVY_FUNCTIONS),
        functionName: "poseidon",
        args: [[0n, ...numbersOf("avax")]],
      });
      const call = { to: AVVY_CONTRACTS.poseidon, data };
      return hasShape(
        await sources.node(0, "eth_call", [call, "latest"]),
        result(Hex.transform(BigInt)),
        (hash) => ({ holds: hash === AVAX_HASH, seen: String(hash) }),
      );
    },
  ),
  about(
    `${KNOWN_NAME} leads to an address`,
    NAMES,
    async (sources) => {
      const { decodeAbiParameters, encodeFunctionData, parseAbi } =
        await import("viem");
      const data = encodeFunctionData({
        abi: parseAbi(AVVY_FUNCTIONS),
        functionName: "resolveStandard",
        args: [KNOWN_NAME, EVM_ADDRESS],
      });
      const call = { to: AVVY_CONTRACTS.resolution, data };
      return hasShape(
        await sources.node(0, "eth_call", [call, "latest"]),
        result(Hex.min("0x".length + 2 * 64)),
        (answer) => {
          const [seen] = decodeAbiParameters(
            [{ type: "string" }],
            answer as `0x${string}`,
          );
          return { holds: ADDRESS.test(seen), seen };
        },
      );
    },
  ),
];
