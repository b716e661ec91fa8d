/** JSON-RPC of the demo wallet: signs with the demo accounts and forwards other methods to a node. */
import {
  type Address,
  createWalletClient,
  formatUnits,
  type Hex,
  http,
  isHex,
  publicActions,
} from "viem";
import { C_CHAIN_ID } from "../chains.ts";
import { DEMO_ACCOUNTS, type DemoAccount } from "./demo_accounts.ts";
import {
  answerRpc,
  INVALID_PARAMS,
  type RpcMethods,
  type RpcOutcome,
} from "../c_chain/json_rpc.ts";
import { USDC_ABI, USDC_ADDRESS } from "../c_chain/usdc.ts";
import { describeRequest, parseTypedData } from "./describe_request.ts";

/** The parameters of `eth_sendTransaction` that the wallet reads. */
interface TransactionRequest {
  readonly to?: Address;
  readonly value?: Hex;
  readonly data?: Hex;
}

/** EIP-1193: the account does not belong to the wallet. */
const UNAUTHORIZED = refused(
  4100,
  "The account does not belong to this wallet",
);

/** EIP-3326: unknown chain. */
const UNKNOWN_CHAIN = refused(
  4902,
  "The demo wallet only supports the C-Chain",
);

/** Methods that are forwarded to the node. */
const NODE_METHODS = [
  "eth_blockNumber",
  "eth_call",
  "eth_chainId",
  "eth_estimateGas",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByNumber",
  "eth_getLogs",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "net_version",
];

/** Returns the handler of the wallet's JSON-RPC. The page calls it after its user has confirmed. */
export function demoWallet(
  { nodeUrl, fetch = globalThis.fetch }: {
    readonly nodeUrl: string;
    readonly fetch?: typeof globalThis.fetch;
  },
): (request: Request) => Promise<Response> {
  const client = createWalletClient({
    transport: http(nodeUrl, {
      fetchFn: (input, init) => fetch(input, init),
      retryCount: 0,
    }),
  }).extend(publicActions);

  /** Forwards a call to the node and returns its result or error. */
  async function ask(method: string, params: unknown): Promise<RpcOutcome> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await (await fetch(nodeUrl, { method: "POST", body }))
      .json();
    const { result, error } = answer;
    return error ? { error } : { result };
  }

  async function send({ signer }: DemoAccount, wanted: TransactionRequest) {
    const { to, value, data } = wanted;
    if (!to) return INVALID_PARAMS;
    const result = await client.sendTransaction({
      account: signer,
      chain: null,
      to,
      value: BigInt(value ?? 0),
      data: data ?? "0x",
    });
    return { result };
  }

  async function listAccounts(): Promise<RpcOutcome> {
    const result = await Promise.all(
      DEMO_ACCOUNTS.map(async ({ label, signer: { address } }) => {
        const balance = await client.readContract({
          address: USDC_ADDRESS,
          abi: USDC_ABI,
          functionName: "balanceOf",
          args: [address],
        });
        return { address, label, usdc: formatUnits(balance, 6) };
      }),
    );
    return { result };
  }

  const methods: RpcMethods = {
    ...Object.fromEntries(
      NODE_METHODS.map((
        method,
      ) => [method, (params: unknown) => ask(method, params)]),
    ),
    eth_accounts: () => ({
      result: DEMO_ACCOUNTS.map(({ signer }) => signer.address),
    }),
    personal_sign: (params) => {
      const [message, address] = listOf(params);
      return signBy(address, async ({ signer }) => ({
        result: await signer.signMessage({ message: messageOf(message) }),
      }));
    },
    eth_signTypedData_v4: (params) => {
      const [address, typedData] = listOf(params);
      return signBy(address, async ({ signer }) => ({
        result: await signer.signTypedData(parseTypedData(typedData)),
      }));
    },
    eth_sendTransaction: (params) => {
      const [wanted] = listOf(params);
      return signBy(wanted?.from, (account) => send(account, wanted));
    },
    wallet_switchEthereumChain: (params) => {
      const [{ chainId } = { chainId: "" }] = listOf(params);
      return Number(chainId) === C_CHAIN_ID ? { result: null } : UNKNOWN_CHAIN;
    },
    demo_listAccounts: listAccounts,
    demo_describe: (params) => {
      const [method, requestParams] = listOf(params);
      const result = describeRequest(method, listOf(requestParams));
      return result ? { result } : INVALID_PARAMS;
    },
  };

  const answering = Object.entries(methods)
    .map(([name, run]) => [name, withErrorAnswer(run)] as const);
  return (request) => answerRpc(request, Object.fromEntries(answering));
}

/** Turns an exception into a JSON-RPC error: pages may send any parameters. */
function withErrorAnswer(run: RpcMethods[string]): RpcMethods[string] {
  return async (params) => {
    try {
      return await run(params);
    } catch (error) {
      return refused(-32603, (error as Error).message);
    }
  };
}

// deno-lint-ignore no-explicit-any -- pages may send any parameters.
function listOf(params: unknown): any[] {
  return Array.isArray(params) ? params : [];
}

async function signBy(
  address: unknown,
  sign: (account: DemoAccount) => Promise<RpcOutcome>,
): Promise<RpcOutcome> {
  const wanted = String(address).toLowerCase();
  const account = DEMO_ACCOUNTS.find(({ signer }) =>
    signer.address.toLowerCase() === wanted
  );
  return account ? await sign(account) : UNAUTHORIZED;
}

/** Parses the message of `personal_sign` (EIP-191): hex is bytes, anything else is text. */
function messageOf(message: unknown): string | { raw: Hex } {
  return isHex(message) ? { raw: message } : String(message);
}

function refused(code: number, message: string): RpcOutcome {
  return { error: { code, message } };
}
