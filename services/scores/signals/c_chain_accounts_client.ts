/** Client of account states on the C-Chain. */
import type { Address, PublicClient } from "viem";
import { z } from "zod";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import type { Http } from "../../platform/http/http_client.ts";
import type { Sourced } from "../../platform/http/source_names.ts";
import type { HubFacts } from "./cohort.ts";
import { getResults } from "../../platform/http/json_rpc_client.ts";
import {
  askInTurn,
  C_CHAIN_RPC,
  rpcClient,
} from "../../platform/http/viem_client.ts";

/** The state of an address at the newest block. */
interface AccountState {
  /** Transactions sent; for a contract, contracts created. Authorizations of a delegated account count too. */
  readonly nonce: number;
  readonly isContract: boolean;
  /** Whether the account has an EIP-7702 delegation. */
  readonly isDelegated: boolean;
}

/** Calls that read the state of an address. */
const STATE_CALLS = 2;

const Quantity = z.string().regex(/^0x[0-9a-f]+$/i).transform(Number)
  .pipe(z.int().nonnegative());

const Hex = z.string().regex(/^0x[0-9a-f]*$/i);

const State = z.object({
  nonce: z.int().nonnegative(),
  code: z.string().regex(/^0x([0-9a-f]{2})+$/i).optional(),
});

/** Creates the client of one C-Chain node; the node must serve `chainId`. */
export function cChainAccounts(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const { run, reserve } = rpcClient(http, { url, chainId, name: C_CHAIN_RPC });
  return {
    /** URL of the node. */
    url,

    /** Reads the state of an address at the newest block. */
    async readAccount(
      address: string,
      options: CallOptions,
    ): Promise<Sourced<AccountState>> {
      const reserved = await reserve(options, STATE_CALLS);
      return await run(reserved, (client) => readState(client, address));
    },

    /**
     * Reads the nonces of at most 40 addresses in one batch, in their order; null for
     * those that the node does not answer.
     */
    readNonces(
      addresses: readonly string[],
      options: CallOptions,
    ): Promise<Sourced<(number | null)[]>> {
      return run(options, async () => {
        const request = batchOf(url, addresses.map(nonceCall));
        const { body } = await getResults(http, request, Quantity, options);
        return addresses.map((_, id) => body.get(id) ?? null);
      });
    },

    /**
     * Reads in one batch of three what shows whether a funder or a sweep target is a
     * hub. A funder has sent a transaction, so it is no contract.
     */
    readOrigin(
      funder: string,
      target: string,
      options: CallOptions,
    ): Promise<Sourced<readonly [HubFacts, HubFacts]>> {
      return run(options, async () => {
        const request = batchOf(url, [
          nonceCall(funder),
          nonceCall(target),
          ["eth_getCode", target],
        ]);
        const { body } = await getResults(http, request, Hex, options);
        const [sent, received, code] = [0, 1, 2].map((id) => body.get(id));
        return [
          { nonce: Quantity.parse(sent), isContract: false },
          {
            nonce: Quantity.parse(received),
            isContract: isCode(Hex.parse(code)),
          },
        ] as const;
      });
    },
  };
}

/** Joins the clients of several nodes: the first that works answers. */
export function inTurn(nodes: readonly CChainAccounts[]): CChainAccounts {
  return {
    ...nodes[0]!,
    readAccount: (address, options) =>
      askInTurn(nodes, options, (node) => node.readAccount(address, options)),
    readNonces: (addresses, options) =>
      askInTurn(nodes, options, (node) => node.readNonces(addresses, options)),
    readOrigin: (funder, target, options) =>
      askInTurn(
        nodes,
        options,
        (node) => node.readOrigin(funder, target, options),
      ),
  };
}

/** The client of C-Chain accounts. */
export type CChainAccounts = ReturnType<typeof cChainAccounts>;

type Call = readonly [method: string, address: string];

function nonceCall(address: string): Call {
  return ["eth_getTransactionCount", address];
}

function batchOf(url: string, calls: readonly Call[]): Request {
  return new Request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(calls.map(([method, address], id) => ({
      jsonrpc: "2.0",
      id,
      method,
      params: [address, "latest"],
    }))),
  });
}

/** Reads the parts in sequence: after a failure, the node gets no further calls. */
async function readState(
  client: PublicClient,
  address: string,
): Promise<AccountState> {
  const of = { address: address as Address };
  const state = State.parse({
    nonce: await client.getTransactionCount(of),
    code: await client.getCode(of),
  });
  const code = state.code ?? "0x";
  return {
    nonce: state.nonce,
    isContract: isCode(code),
    isDelegated: isDelegation(code),
  };
}

/** Returns whether an account's code makes it a contract. */
function isCode(code: string): boolean {
  return code !== "0x" && !isDelegation(code);
}

/**
 * An account with an EIP-7702 delegation (0xef0100 and an address) still signs its
 * own transactions, so it does not count as a contract.
 */
function isDelegation(code: string): boolean {
  return /^0xef0100[0-9a-f]{40}$/i.test(code);
}
