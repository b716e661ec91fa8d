import { assertEquals, assertRejects } from "@std/assert";
import { type BlockTime } from "../../../../services/chain_data/blocks/block_search.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { cChain } from "../../../../services/chain_data/blocks/c_chain_client.ts";
import type { Http } from "../../../../services/platform/http/http_client.ts";
import { nodeOfTimes, nodeWith } from "../../../support/evm/rpc_node.ts";
import {
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../../support/upstreams.ts";

const URL_OF_RPC = "http://up.test/ext/bc/C/rpc";
const block = (fields: Record<string, unknown>) =>
  nodeWith({ eth_getBlockByNumber: () => fields });

const find = (
  http: Http,
  instant: number,
  anchors: readonly BlockTime[] = [],
) => cChain(http, URL_OF_RPC).findFirstBlock(instant, anchors, CALL_OPTIONS);

Deno.test("findFirstBlock reads the head and blocks, with times in seconds", async () => {
  const { http, asked } = httpThat(nodeOfTimes(0, 1600858926));
  const client = cChain(http, URL_OF_RPC);
  assertEquals(await client.findFirstBlock(1600858926, [], CALL_OPTIONS), {
    body: {
      firstBlock: 1,
      firstBlockTimestamp: 1600858926,
      previousBlock: 0,
      previousBlockTimestamp: 0,
    },
    source: "C-Chain RPC (up.test)",
  });
  const calls = await Promise.all(asked.map((request) => request.json()));
  assertEquals(calls.map(({ method, params }) => [method, params]), [
    ["eth_chainId", undefined],
    ["eth_getBlockByNumber", ["latest", false]],
    ["eth_getBlockByNumber", ["0x0", false]],
    ["eth_getBlockByNumber", ["0x1", false]],
  ]);
});

Deno.test("findFirstBlock turns every failure into a fault", async (t) => {
  const failing = (answer: () => unknown) =>
    nodeWith({ eth_getBlockByNumber: answer });
  const error = (code: number, message: string) => () =>
    Response.json({ jsonrpc: "2.0", id: 1, error: { code, message } });
  const status = (status: number, answer: () => Response) => () =>
    new Response(answer().body, { status });
  const failures: FailureRow[] = [
    ["missing block", failing(() => null), /the newest block is missing$/],
    [
      "another block",
      block({ number: "0x6", timestamp: "0x9" }),
      /blocks contradict each other$/,
    ],
    ["no timestamp", block({ number: "0x5" }), /another shape/],
    ["no number", block({ timestamp: "0x5" }), /another shape/],
    [
      "broken timestamp",
      block({ number: "0x5", timestamp: "5s" }),
      /another shape/,
    ],
    ["no block", failing(() => "0x5"), /another shape/],
    [
      "unfinalized",
      failing(error(-32000, "cannot query unfinalized data")),
      /: it refused the call$/,
    ],
    [
      "too many calls",
      failing(error(-32005, "limit exceeded")),
      /exceeded$/,
      30_000,
    ],
    [
      "429 with an error in JSON",
      failing(status(429, error(-32005, "slow down"))),
      /429$/,
      30_000,
    ],
    [
      "HTML in place of a block",
      failing(() => new Response("<!DOCTYPE html>")),
      /not JSON$/,
    ],
    [
      "another chain",
      nodeWith({ eth_chainId: () => "0xa869" }),
      /chain is 43113, not 43114$/,
    ],
    ["no chain", nodeWith({ eth_chainId: () => null }), /another shape/],
  ];
  await assertFaults(t, (http) => find(http, 5), failures);
});

Deno.test("the client checks the chain id until it is right, then never again", async () => {
  const ids = ["0x1", "0xa869", "0xa869"];
  const { http, asked } = httpThat(nodeWith({
    eth_chainId: () => ids.shift(),
    eth_getBlockByNumber: () => ({ number: "0x0", timestamp: "0x1" }),
  }));
  const client = cChain(http, URL_OF_RPC, { chainId: 43113 });
  const search = () => client.findFirstBlock(1, [], CALL_OPTIONS);
  await assertRejects(search, Fault, "chain is 1,");
  await search();
  await search();
  const calls = await Promise.all(asked.map((request) => request.json()));
  assertEquals(
    calls.filter(({ method }) => method === "eth_chainId").length,
    2,
  );
});

Deno.test("an aborted signal ends the call", async () => {
  const { http } = httpThat(() => Promise.withResolvers<Response>().promise, {
    timeoutMs: 60_000,
  });
  const options = { ...CALL_OPTIONS, signal: AbortSignal.timeout(20) };
  const client = cChain(http, URL_OF_RPC);
  await assertRejects(
    () => client.findFirstBlock(1, [], options),
    Fault,
    "took too long",
  );
});

Deno.test("findFirstBlock returns the first block at or after an instant, also across days without a block", async () => {
  const day = 86_400;
  const { http } = httpThat(nodeOfTimes(0, 90, 90, day, day, 4 * day, 4 * day));
  const cases: [instant: number, first: number | undefined][] = [
    [0, 0],
    [1, 1],
    [90, 1],
    [91, 3],
    [day, 3],
    [day + 1, 5],
    [2 * day, 5],
    [4 * day, 5],
    [4 * day + 1, undefined],
  ];
  for (const [instant, first] of cases) {
    const { body } = await find(http, instant);
    assertEquals(body?.firstBlock, first, `at ${instant}`);
  }
  assertEquals((await find(http, 0)).body, {
    firstBlock: 0,
    firstBlockTimestamp: 0,
    previousBlock: null,
    previousBlockTimestamp: null,
  });
  assertEquals((await find(http, 2 * day)).body, {
    firstBlock: 5,
    firstBlockTimestamp: 4 * day,
    previousBlock: 4,
    previousBlockTimestamp: day,
  });
});

Deno.test("findFirstBlock is right with wrong anchors", async () => {
  const { http } = httpThat(nodeOfTimes(0, 10, 20, 30, 40, 50, 60));
  const anchors: BlockTime[][] = [
    [{ height: 3, timestamp: 30 }, { height: 4, timestamp: 40 }],
    [{ height: 2, timestamp: 35 }],
    [{ height: 5, timestamp: 30 }],
    [{ height: 99, timestamp: 35 }],
    [{ height: 99, timestamp: 20 }],
    [{ height: 2, timestamp: 99 }, { height: 5, timestamp: 1 }],
  ];
  for (const known of anchors) {
    const { body } = await find(http, 35, known);
    assertEquals(body?.firstBlock, 4, JSON.stringify(known));
  }
});

Deno.test("findFirstBlock rejects a chain whose timestamps decrease", async () => {
  const { http } = httpThat(nodeOfTimes(0, 10, 70, 30, 20, 5, 60));
  await assertRejects(() => find(http, 15), Fault, "contradict each other");
});
