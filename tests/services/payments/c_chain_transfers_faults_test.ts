/** Responses of a C-Chain node that do not match the request, and failures. */
import { assertEquals } from "@std/assert";
import type { Http } from "../../../services/platform/http/http_client.ts";
import { START } from "../../support/deps.ts";
import { paidChain } from "../../support/evm/paid_chain.ts";
import { type Method, nodeWith } from "../../support/evm/rpc_node.ts";
import {
  nodeOf,
  nodeOver,
  TRANSFER_FILTER,
  WANTED,
} from "../../support/evm/transfer_nodes.ts";
import { USDC } from "../../../services/payments/plans_schema.ts";
import {
  type Answering,
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
} from "../../support/upstreams.ts";

const PAYER = `0x${"aa".repeat(20)}`;
const HASH = `0x${"12".repeat(32)}`;
const NOW = Date.parse(START);

const readOver = (http: Http) =>
  nodeOver(http).readTransaction(HASH, WANTED, CALL_OPTIONS);
const listOver = (http: Http) =>
  nodeOver(http).listTransfers(TRANSFER_FILTER, CALL_OPTIONS);

Deno.test("findBlock() rejects a block of another height", async () => {
  const chain = paidChain({ start: NOW });
  const node = nodeOf(
    bentOver(chain.node(), "eth_getBlockByNumber", (block: Log) => ({
      ...block,
      number: "0x1",
    })),
  );
  assertEquals(await node.findBlock(10_000, CALL_OPTIONS), null);
});

/** A node of a chain with one payment; `bend` changes the results of one method. */
function bent(method: string, bend: (result: never) => unknown): Answering {
  const chain = paidChain({ start: NOW });
  chain.send({ from: PAYER, amount: 5n });
  return bentOver(chain.node(), method, bend);
}

/** A node with the changed results of one method. */
function bentOver(
  known: Answering,
  method: string,
  bend: (result: never) => unknown,
): Answering {
  return async (request) => {
    const call = await request.clone().json();
    const hash = (call.params ?? [])[0];
    const response = await known(request);
    if (call.method !== method || hash === null) return response;
    const { result } = await response.json();
    return Response.json({
      jsonrpc: "2.0",
      id: 1,
      result: bend(result as never),
    });
  };
}

type Log = Record<string, unknown>;

/** Topics of a transfer that is not to the treasury. */
const OTHER_TOPICS = [
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  `0x${"0".repeat(63)}1`,
  `0x${"0".repeat(63)}2`,
];

Deno.test("listTransfers() throws the same fault for each failure", async (t) => {
  const bend = (facts: Log) =>
    bent("eth_getLogs", ([log]: Log[]) => [{ ...log, ...facts }]);
  const shape = /another shape/;
  await assertFaults(t, listOver, [
    ["no list", bent("eth_getLogs", () => ({})), shape],
    ["another token", bend({ address: PAYER }), shape],
    [
      "another recipient",
      bend({
        topics: OTHER_TOPICS,
      }),
      shape,
    ],
    ["no transfer", bend({ topics: [HASH] }), shape],
    ["a block out of range", bend({ blockNumber: "0x1" }), shape],
    [
      "a transfer twice",
      bent("eth_getLogs", ([log]: Log[]) => [log, log]),
      shape,
    ],
    ["no block", bend({ blockNumber: null, blockHash: null }), shape],
    ["no transaction", bend({ transactionHash: "0x12" }), shape],
    [
      "an error",
      () =>
        Response.json({
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32000, message: "requested too many blocks" },
        }),
      /it refused the call$/,
    ],
  ]);
});

Deno.test("readTransaction() throws the same fault for each failure", async (t) => {
  const receipt = (facts: Record<string, unknown>): Answering =>
    nodeWith(
      {
        eth_getTransactionReceipt: () => ({
          transactionHash: HASH,
          status: "0x1",
          blockNumber: "0x1",
          blockHash: HASH,
          logs: [],
          ...facts,
        }),
        eth_getBlockByNumber: () => ({
          hash: HASH,
          timestamp: "0x1",
          number: "0x1",
        }),
        eth_blockNumber: () => "0x5",
      } satisfies Record<string, Method>,
    );
  const log = {
    address: USDC,
    topics: OTHER_TOPICS,
    data: `0x${"0".repeat(63)}5`,
    transactionHash: HASH,
    blockNumber: "0x1",
    blockHash: HASH,
    logIndex: "0x0",
  };
  assertEquals(
    (await nodeOf(receipt({ logs: [log] })).readTransaction(
      HASH,
      WANTED,
      CALL_OPTIONS,
    ))
      .kind,
    "mined",
  );
  const shape = /another shape/;
  const rows: FailureRow[] = [
    [
      "another transaction",
      receipt({ transactionHash: `0x${"34".repeat(32)}` }),
      shape,
    ],
    ["no status", receipt({ status: "0x5" }), shape],
    ["no block", receipt({ blockHash: null }), shape],
    ["no logs", receipt({ logs: null }), shape],
    ["a transfer twice", receipt({ logs: [log, log] }), shape],
    [
      "another chain",
      nodeWith({ eth_chainId: () => "0x1" }),
      /chain is 1, not 43114/,
    ],
  ];
  await assertFaults(t, readOver, rows);
});
