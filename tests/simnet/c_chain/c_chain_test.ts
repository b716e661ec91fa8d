import { assert, assertEquals } from "@std/assert";
import { createPublicClient, http } from "viem";
import { C_CHAIN_PATH } from "../../../simnet/c_chain/c_chain.ts";
import { dayOf, isoDay } from "../../../simnet/series/days.ts";
import { EXPLORER_PATH } from "../../../simnet/explorer/explorer.ts";
import { MISCOUNTED_BLOCKS } from "../../../simnet/explorer/explorer_days.ts";
import { startSimnet } from "../../../simnet/start.ts";
import { type Json, NOW, testNet, TODAY } from "../support.ts";

const net = testNet();

function call(method: string, params: unknown[], id: unknown = 1): Json {
  return { jsonrpc: "2.0", id, method, params };
}

async function getBlock(tag: string): Promise<Json> {
  const body = call("eth_getBlockByNumber", [tag, false]);
  return (await net.rpc(C_CHAIN_PATH, body)).result;
}

async function timestampOf(number: number): Promise<number> {
  return Number((await getBlock(`0x${number.toString(16)}`)).timestamp);
}

/** Finds the first block at or after the start of a day, by bisection. */
async function bisect(day: number, head: number): Promise<number> {
  let low = 1;
  let high = head;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await timestampOf(middle) < day * 86_400) low = middle + 1;
    else high = middle;
  }
  return low;
}

Deno.test("bisected daily counts equal the explorer's except on the miscounted day", async () => {
  const head = Number((await getBlock("latest")).number);
  const miscounted = TODAY - MISCOUNTED_BLOCKS.age;
  const days = [dayOf("2020-10-24"), dayOf("2020-10-27"), dayOf("2023-11-22")];
  for (const day of [...days, miscounted - 1, miscounted, TODAY - 1]) {
    const counted = await bisect(day + 1, head) - await bisect(day, head);
    const date = isoDay(day);
    const query =
      `module=stats&action=dailyblkcount&startdate=${date}&enddate=${date}`;
    const { body } = await net.get(`${EXPLORER_PATH}?${query}`);
    const difference = Number(body.result[0].blockCount) - counted;
    assertEquals(difference, day === miscounted ? -3 : 0, date);
  }
});

Deno.test("the C-Chain answers batches and returns JSON-RPC errors", async () => {
  const batch = [call("eth_chainId", [], 7), call("eth_nothing", [], "b")];
  const [chainId, unknown] = await net.rpc(C_CHAIN_PATH, batch);
  assertEquals(chainId, { jsonrpc: "2.0", id: 7, result: "0xa86a" });
  assertEquals([unknown.id, unknown.error.code], ["b", -32601]);
  const codes: [body: unknown, code: number][] = [
    [call("eth_getBlockByNumber", []), -32602],
    [call("eth_getBlockByNumber", ["newest", false]), -32602],
    [call("eth_getBlockByNumber", ["12", false]), -32602],
    [{ id: 1 }, -32600],
    [[], -32600],
    [Array(41).fill(call("eth_chainId", [])), -32600],
  ];
  for (const [body, code] of codes) {
    assertEquals((await net.rpc(C_CHAIN_PATH, body)).error.code, code);
  }
  const broken = { method: "POST", body: "{" };
  const response = await net.fetch(`http://simnet${C_CHAIN_PATH}`, broken);
  assertEquals((await response.json()).error.code, -32700);
  const { handle } = net.upstreams.cChainRpc;
  const byGet = await handle(new Request(`http://simnet${C_CHAIN_PATH}`));
  assertEquals(byGet.status, 405);
});

Deno.test("viem reads blocks from a started simulation", async () => {
  await using simnet = startSimnet({ now: () => NOW });
  for (const batch of [false, true]) {
    const client = createPublicClient({
      transport: http(simnet.urls.cChainRpc, { batch }),
    });
    const blocks = await Promise.all([
      client.getBlock({ blockNumber: 0n }),
      client.getBlock({ blockNumber: 1n }),
      client.getBlock({ blockTag: "latest" }),
    ]);
    assertEquals(blocks.map(({ timestamp }) => timestamp).slice(0, 2), [
      0n,
      1_600_858_926n,
    ]);
    const { number, timestamp, baseFeePerGas, transactions } = blocks[2];
    assertEquals(number, await client.getBlockNumber({ cacheTime: 0 }));
    assert(NOW.getTime() / 1_000 - Number(timestamp) < 10);
    assert(baseFeePerGas! > 0n && transactions.length > 0);
    assertEquals(await client.getChainId(), 43114);
  }
  const methods = simnet.calls.cChainRpc.map(({ rpcMethods }) =>
    rpcMethods.length
  );
  assert(Math.max(...methods) >= 3);
});
