/**
 * Names of wallets, resolved forward only: from the name to the address that its holder
 * set. Avvy Domains gives out names that end in `.avax`; they are read by plain calls of
 * its contracts on the C-Chain. Sources of the addresses and of the rules:
 *
 * - `avvydomains/technical-documentation`, `contracts/resolution-utils.md`: the contract
 *   that reads the record of a name, and 3 as the key of a C-Chain address;
 *   `concepts/name-hashing.md`: a name is identified by its Poseidon hash, label by label,
 *   where 62 characters of a label are two numbers of 31 bytes, the first byte the lowest.
 * - The package `@avvy/client` 4.2.8, `lib/contracts/43114.js`: `Domain` and `Poseidon`;
 *   `src/index.js`: the hash of `avax`, and that a name whose registration has ended does
 *   not resolve. The record alone would still show the address of the last holder.
 */
import { dayAt, formatDay } from "../platform/days.ts";
import {
  type CallOptions,
  readerCallOptions,
  visitorRequester,
} from "../platform/rate_limit/call_budget.ts";
import { invalidParameter, upstreamDown } from "../platform/fault.ts";
import type { ShareWork } from "../platform/cache.ts";
import type { Address, PublicClient } from "viem";
import { readAddress } from "../platform/address_schema.ts";
import type { Http } from "../platform/http/http_client.ts";
import type { Sourced } from "../platform/http/upstream_answer.ts";
import { C_CHAIN_RPC, rpcClient } from "../platform/http/rpc_client.ts";

/** Labels of Avvy Domains. Other letters, which may look like these, have no names. */
const NAME = /^(?:[a-z0-9-]{1,62}\.){1,3}avax$/;

/** The nodes that must all agree on the address of a name; none if names are not read. */
interface NameDeps {
  readonly upstream: { readonly names: readonly NameNode[] };
}

/** Returns a text as a name, lower-case; null if it is none, or names are not read here. */
export function readName(
  { upstream }: NameDeps,
  text: string,
): string | null {
  const name = text.toLowerCase();
  return upstream.names.length > 0 && NAME.test(name) ? name : null;
}

/**
 * Returns the address that a name leads to, lower-case, for a visitor's network. Every
 * node must agree. Throws a fault that says why the name leads to none.
 */
export async function resolveName(
  { share, upstream }: NameDeps & { readonly share: ShareWork },
  name: string,
  client: string | undefined,
): Promise<string> {
  const record = await share(`avax-name/${name}`, async () => {
    const options = readerCallOptions(visitorRequester(client));
    const records = await Promise.all(
      upstream.names.map(async (node) =>
        (await node.readName(name, options)).body
      ),
    );
    const [first, ...others] = records.map((one) => JSON.stringify(one));
    if (others.some((other) => other !== first)) {
      throw upstreamDown("the C-Chain", `its nodes disagree about ${name}`);
    }
    return records[0]!;
  }, client);
  if (record.kind === "found") return record.address;
  throw invalidParameter("address", name, EXPECTED[record.kind](record));
}

type Unresolved = Exclude<NameRecord, { kind: "found" }>;

/** What was expected of a name that leads to no address. */
const EXPECTED: {
  readonly [Kind in Unresolved["kind"]]: (record: Unresolved) => string;
} = {
  unregistered: () => "a name that is registered; this one is not",
  suspended: () => "a name that is not suspended",
  noAddress: () => "a name with a C-Chain address; its holder has set none",
  expired: (record) =>
    `a name whose registration lasts; this one ended on ${
      record.kind === "expired" ? formatDay(dayAt(record.at)) : ""
    }`,
};

/** The contracts, lower-case. */
export const AVVY_CONTRACTS = {
  resolution: "0x5bbd3a8e215b1fc30595fd1aba4f3fcdbb614078",
  domain: "0x797ac669a1908ca68cd9854994345f570495541a",
  poseidon: "0x6e03620156860584870b6415447770bbc7d6eb0e",
} as const satisfies Record<string, Address>;

/** The functions that are called. */
export const AVVY_FUNCTIONS = [
  "function resolveStandard(string name, uint256 key) view returns (string)",
  "function getDomainExpiry(uint256 name) view returns (uint256)",
  "function isSuspended(uint256 name) view returns (bool)",
  "function poseidon(uint256[3] input) pure returns (uint256)",
] as const;

/** The key of a C-Chain address among the records of a name. */
export const EVM_ADDRESS = 3n;

/** The hash of `avax`. */
export const AVAX_HASH =
  4272832630669137235923015693490068373911885005413996126751674003559469537065n;

/** Bytes of a label in each of its two numbers. */
const HALF = 31;

/** What a name leads to. */
type NameRecord =
  | { readonly kind: "found"; readonly address: string }
  | { readonly kind: "unregistered" | "suspended" | "noAddress" }
  /** When the registration ended, epoch ms. */
  | { readonly kind: "expired"; readonly at: number };

/** Creates the client of one C-Chain node. */
export function nameNode(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const { run } = rpcClient(http, { url, chainId, name: C_CHAIN_RPC });
  return {
    /** Reads what a name, lower-case, leads to. Throws an `upstreamDown` fault if the node does not answer. */
    readName(name: string, options: CallOptions): Promise<Sourced<NameRecord>> {
      return run(
        options,
        (client) => readRecord(client, name, http.now().getTime()),
      );
    },
  };
}

/** The client of names. */
export type NameNode = ReturnType<typeof nameNode>;

async function readRecord(
  client: PublicClient,
  name: string,
  now: number,
): Promise<NameRecord> {
  const { parseAbi } = await import("viem");
  const abi = parseAbi(AVVY_FUNCTIONS);
  const label = name.split(".").at(-2)!;
  const id = await client.readContract({
    abi,
    address: AVVY_CONTRACTS.poseidon,
    functionName: "poseidon",
    args: [[AVAX_HASH, ...numbersOf(label)]],
  });
  const domain = { abi, address: AVVY_CONTRACTS.domain, args: [id] } as const;
  const [expiry, isSuspended, record] = await Promise.all([
    client.readContract({ ...domain, functionName: "getDomainExpiry" }),
    client.readContract({ ...domain, functionName: "isSuspended" }),
    client.readContract({
      abi,
      address: AVVY_CONTRACTS.resolution,
      functionName: "resolveStandard",
      args: [name, EVM_ADDRESS],
    }).catch(emptyIfReverted),
  ]);
  if (expiry === 0n) return { kind: "unregistered" };
  const at = Number(expiry) * 1000;
  if (at <= now) return { kind: "expired", at };
  if (isSuspended) return { kind: "suspended" };
  // Whoever holds the name may write anything.
  const read = readAddress(record);
  return "address" in read && BigInt(read.address) !== 0n
    ? { kind: "found", address: read.address }
    : { kind: "noAddress" };
}

/** Returns the two numbers of a label. */
export function numbersOf(label: string): [bigint, bigint] {
  const numberOf = (part: string) =>
    new TextEncoder().encode(part)
      .reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
  return [numberOf(label.slice(0, HALF)), numberOf(label.slice(HALF))];
}

/** Names of viem's errors for a call that the contract reverted; nodes report it by two codes. */
const REVERTED = ["ContractFunctionRevertedError", "ExecutionRevertedError"];

/** Returns an empty record if the contract reverted: the name has no resolver. */
function emptyIfReverted(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (REVERTED.includes(cause.name)) return "";
  }
  throw error;
}
