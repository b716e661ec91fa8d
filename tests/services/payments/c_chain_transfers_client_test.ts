import { assertEquals } from "@std/assert";
import { USDC } from "../../../services/payments/plans_schema.ts";
import { type Http } from "../../../services/platform/http/http_client.ts";
import { START } from "../../support/deps.ts";
import { paidChain, TREASURY } from "../../support/evm/paid_chain.ts";
import {
  type Answering,
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../support/upstreams.ts";
import {
  nodeOf,
  nodeOver,
  TRANSFER_FILTER,
  WANTED,
} from "../../support/evm/transfer_nodes.ts";
import { type Method, nodeWith } from "../../support/evm/rpc_node.ts";

const listOver = (http: Http) =>
  nodeOver(http).listTransfers(TRANSFER_FILTER, CALL_OPTIONS);
const PAYER = `0x${"aa".repeat(20)}`;
const OTHER = `0x${"Bb".repeat(20)}`;
const HASH = `0x${"12".repeat(32)}`;
const NOW = Date.parse(START);

Deno.test("readTransaction() returns transfers, block and confirmations", async () => {
  const chain = paidChain({ start: NOW });
  const hash = chain.send(
    { from: PAYER, amount: 5n },
    { from: PAYER, to: OTHER, amount: 2n ** 255n },
    { from: OTHER, token: `0x${"cc".repeat(20)}`, amount: 7n },
  );
  chain.mine(3);
  const sighting = await nodeOf(chain.node()).readTransaction(
    hash,
    WANTED,
    CALL_OPTIONS,
  );
  if (sighting.kind !== "mined") throw new Error(sighting.kind);
  const { transfers, ...rest } = sighting;
  const { blockHash } = transfers[0]!;
  assertEquals(rest, {
    kind: "mined",
    succeeded: true,
    confirmations: 3,
    blockHash,
  });
  const place = {
    txHash: hash,
    blockNumber: 10_001,
    blockHash,
    at: NOW + 1_000,
  };
  const other = OTHER.toLowerCase();
  assertEquals(transfers, [
    {
      token: USDC,
      from: PAYER,
      to: TREASURY,
      amount: 5n,
      logIndex: 0,
      ...place,
    },
    {
      token: USDC,
      from: PAYER,
      to: other,
      amount: 2n ** 255n,
      logIndex: 1,
      ...place,
    },
    {
      token: `0x${"cc".repeat(20)}`,
      from: other,
      to: TREASURY,
      amount: 7n,
      logIndex: 2,
      ...place,
    },
  ]);
});

Deno.test("readTransaction() ignores events that are not ERC-20 transfers", async () => {
  const chain = paidChain({ start: NOW });
  const hash = chain.send({ from: PAYER, amount: 5n });
  const withMore: Answering = async (request) => {
    const { method } = await request.clone().json();
    const response = await chain.node()(request);
    if (method !== "eth_getTransactionReceipt") return response;
    const { result } = await response.json();
    const [log] = result.logs;
    const nft = {
      ...log,
      topics: [...log.topics, `0x${"00".repeat(31)}01`],
      data: "0x",
    };
    const event = { ...log, topics: [`0x${"ab".repeat(32)}`] };
    const anonymous = { ...log, topics: [] };
    const logs = [nft, event, anonymous, ...result.logs];
    return Response.json({
      jsonrpc: "2.0",
      id: 1,
      result: { ...result, logs },
    });
  };
  const sighting = await nodeOf(withMore).readTransaction(
    hash,
    WANTED,
    CALL_OPTIONS,
  );
  assertEquals(sighting.kind === "mined" && sighting.transfers.length, 1);
});

Deno.test("readTransaction() parses no transfers of nothing, and few of other tokens", async () => {
  const chain = paidChain({ start: NOW });
  const token = `0x${"cc".repeat(20)}`;
  const many = <Item>(item: Item) => Array<Item>(3_500).fill(item);
  const hash = chain.send(
    ...many({ from: OTHER, amount: 0n }),
    ...many({ from: OTHER, token, to: OTHER, amount: 5n }),
    ...many({ from: OTHER, token, amount: 6n }),
    { from: PAYER, amount: 7n },
  );
  // Parsing the events that nobody needs would reject these.
  const torn: Answering = async (request) => {
    const answer = await (await chain.node()(request)).json();
    for (const log of answer.result.logs?.slice(0, 7_000) ?? []) {
      log.logIndex = "none";
    }
    return Response.json(answer);
  };
  const sighting = await nodeOf(torn).readTransaction(
    hash,
    WANTED,
    CALL_OPTIONS,
  );
  if (sighting.kind !== "mined") throw new Error(sighting.kind);
  assertEquals(sighting.transfers.map(({ amount }) => amount), [
    ...Array(10).fill(6n),
    7n,
  ]);
});

Deno.test("readTransaction() distinguishes failed, waiting and unknown transactions", async () => {
  const chain = paidChain({ start: NOW });
  const failed = chain.fail({ from: PAYER, amount: 5n });
  const waiting = chain.send({ from: PAYER, amount: 5n });
  const node = nodeOf(chain.node({ behind: 1 }));
  const sighting = await node.readTransaction(failed, WANTED, CALL_OPTIONS);
  if (sighting.kind !== "mined") throw new Error(sighting.kind);
  assertEquals([sighting.succeeded, sighting.transfers], [false, []]);
  assertEquals(await node.readTransaction(waiting, WANTED, CALL_OPTIONS), {
    kind: "waiting",
  });
  assertEquals(await node.readTransaction(HASH, WANTED, CALL_OPTIONS), {
    kind: "unknown",
  });
});

Deno.test("a receipt from a replaced block counts as waiting", async () => {
  const chain = paidChain({ start: NOW });
  const hash = chain.send({ from: PAYER, amount: 5n });
  chain.mine(3);
  const torn: Answering = async (request) => {
    const { method } = await request.clone().json();
    if (method === "eth_getBlockByNumber") chain.reorganise(4);
    return await chain.node()(request);
  };
  assertEquals(await nodeOf(torn).readTransaction(hash, WANTED, CALL_OPTIONS), {
    kind: "waiting",
  });
});

Deno.test("listTransfers() filters by token, receiver and block range", async () => {
  const chain = paidChain({ start: NOW });
  chain.send({ from: PAYER, amount: 5n });
  chain.send({ from: PAYER, to: OTHER, amount: 6n }, {
    from: OTHER,
    amount: 7n,
  });
  chain.mine(1);
  chain.send({ from: PAYER, amount: 8n });
  const { http, asked } = httpThat(chain.node());
  const found = await listOver(http);
  assertEquals(found.map(({ amount, blockNumber }) => [amount, blockNumber]), [
    [5n, 10_001],
    [7n, 10_002],
  ]);
  const { method, params } = await asked.at(-1)!.json();
  assertEquals(method, "eth_getLogs");
  const padded = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
  assertEquals(params, [{
    address: USDC,
    topics: [
      // keccak256("Transfer(address,address,uint256)"), as ERC-20 has it.
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      null,
      padded(TREASURY),
    ],
    fromBlock: "0x2711",
    toBlock: "0x2713",
  }]);
});

Deno.test("listTransfers() sorts by chain order", async () => {
  const chain = paidChain({ start: NOW });
  chain.send({ from: PAYER, amount: 1n }, { from: PAYER, amount: 2n });
  chain.send({ from: PAYER, amount: 3n });
  const reversed: Answering = async (request) => {
    const { method } = await request.clone().json();
    const answer = await (await chain.node()(request)).json();
    if (method === "eth_getLogs") answer.result.reverse();
    return Response.json(answer);
  };
  const found = await nodeOf(reversed).listTransfers(
    TRANSFER_FILTER,
    CALL_OPTIONS,
  );
  assertEquals(found.map(({ amount }) => amount), [1n, 2n, 3n]);
});

Deno.test("findBlock() returns hash and time or null, and readHead() the height", async () => {
  const chain = paidChain({ start: NOW });
  const node = nodeOf(chain.node());
  assertEquals(await node.readHead(CALL_OPTIONS), 10_000);
  const before = await node.findBlock(10_000, CALL_OPTIONS);
  assertEquals(before!.at, NOW);
  chain.reorganise(1);
  const after = await node.findBlock(10_000, CALL_OPTIONS);
  assertEquals(after!.hash === before!.hash, false);
  assertEquals(await node.findBlock(10_001, CALL_OPTIONS), null);
});

// Responses of a C-Chain node that do not match the request, and failures.

const readOver = (http: Http) =>
  nodeOver(http).readTransaction(HASH, WANTED, CALL_OPTIONS);

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
