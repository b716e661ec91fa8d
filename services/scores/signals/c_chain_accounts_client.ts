/** Client of account states on the C-Chain. */
import { z } from "zod";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import type { Http } from "../../platform/http/http_client.ts";
import { Refused, type Sourced } from "../../platform/http/upstream_answer.ts";
import type { HubFacts } from "./cohort.ts";
import {
  askInTurn,
  C_CHAIN_RPC,
  getResults,
  rpcClient,
} from "../../platform/http/rpc_client.ts";
import { MAX_BATCH } from "../../platform/http/numeric_schema.ts";
import { Fault, upstreamDown } from "../../platform/fault.ts";

/** The state of an address at the newest block. */
interface AccountState {
  /** Transactions sent; for a contract, contracts created. Authorizations of a delegated account count too. */
  readonly nonce: number;
  readonly isContract: boolean;
  /** Whether the account has an EIP-7702 delegation. */
  readonly isDelegated: boolean;
}

/** Calls of a batch that read the state of an address: its nonce and its code. */
const STATE_CALLS = 2;

/** The state of an address that will be read, so that a batch for another one takes it along. */
interface AnnouncedState {
  readonly address: string;
  found: AccountState | null;
  /** The batch that took it along. */
  batch: Promise<void> | null;
}

const Quantity = z.string().regex(/^0x[0-9a-f]+$/i).transform(Number)
  .pipe(z.int().nonnegative());

const Hex = z.string().regex(/^0x[0-9a-f]*$/i);

const Code = z.string().regex(/^0x([0-9a-f]{2})*$/i);

/** Creates the client of one C-Chain node; the node must serve `chainId`. */
export function cChainAccounts(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const { run } = rpcClient(http, { url, chainId, name: C_CHAIN_RPC });
  const announced = new Set<AnnouncedState>();

  /**
   * Reads states in one batch. If the node refuses it, reads the halves, so that one
   * address cannot fail the others.
   */
  async function readStates(
    states: readonly AnnouncedState[],
    options: CallOptions,
  ): Promise<void> {
    const addresses = states.map(({ address }) => address);
    try {
      await run(options, async () => {
        const request = batchOf(
          url,
          addresses.flatMap((address) => [
            nonceCall(address),
            ["eth_getCode", address] as const,
          ]),
        );
        const { body } = await getResults(http, request, z.string(), options);
        for (const [nth, state] of states.entries()) {
          const nonce = body.get(STATE_CALLS * nth);
          const code = body.get(STATE_CALLS * nth + 1);
          if (nonce !== undefined && code !== undefined) {
            state.found = stateOf(nonce, code);
          }
        }
      });
    } catch (error) {
      if (states.length === 1 || !isRefusal(error)) throw error;
      const half = Math.ceil(states.length / 2);
      await readStates(states.slice(0, half), options);
      await readStates(states.slice(half), options).catch(() => {});
    }
  }

  return {
    /** URL of the node. */
    url,

    /** Announces a read of the state of an address at the newest block. */
    announce(address: string) {
      const own: AnnouncedState = { address, found: null, batch: null };
      announced.add(own);
      return {
        /** Reads the state; takes along those of others that are waiting. */
        async read(options: CallOptions): Promise<AccountState> {
          announced.delete(own);
          await own.batch?.catch(() => {});
          if (own.found !== null) return own.found;
          const others = [...announced].filter(({ batch }) => batch === null)
            .slice(0, MAX_BATCH / STATE_CALLS - 1);
          // The batch is of all, so it counts for nobody in particular.
          const ofAll = {
            ...options,
            requester: { ...options.requester, parties: [] },
          };
          const batch = readStates([own, ...others], ofAll);
          for (const other of others) other.batch = batch;
          await batch;
          if (own.found !== null) return own.found;
          throw upstreamDown(new URL(url).host, "no state of the address");
        },

        /** Withdraws the announcement. */
        leave(): void {
          announced.delete(own);
        },
      };
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
    announce(address) {
      const announced = nodes.map((node) => node.announce(address));
      function leave(): void {
        for (const each of announced) each.leave();
      }
      return {
        read: (options) =>
          askInTurn(announced, options, ({ read }) => read(options))
            .finally(leave),
        leave,
      };
    },
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

/** Throws if the node answered something else. */
function stateOf(nonce: string, code: string): AccountState {
  const bytes = Code.parse(code);
  return {
    nonce: Quantity.parse(nonce),
    isContract: isCode(bytes),
    isDelegated: isDelegation(bytes),
  };
}

/** Returns whether the node answered and refused, without asking for a pause. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined;
  return cause instanceof Refused && cause.cooldownMs === null;
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
