import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseAbiItem,
  publicActions,
} from "viem";
import { C_CHAIN_PATH } from "../../../simnet/c_chain/c_chain.ts";
import { MAX_LOG_BLOCKS } from "../../../simnet/c_chain/c_chain_transactions.ts";
import {
  DEMO_ACCOUNTS,
  FAUCET_USDC,
} from "../../../simnet/demo_wallet/demo_accounts.ts";
import { USDC_ADDRESS } from "../../../simnet/c_chain/usdc.ts";
import { NOW, testNet } from "../support.ts";

const { signer } = DEMO_ACCOUNTS[0]!;
const TREASURY = "0xf142000000000000000000000000000000de3000";
const TRANSFER = parseAbiItem(
  "event Transfer(address indexed from, address indexed to, uint256 value)",
);

/** A chain with a movable clock, and a wallet on it. */
function testChain() {
  let ms = NOW.getTime();
  const net = testNet({ now: () => new Date(ms) });
  const client = createWalletClient({
    transport: http(`http://simnet${C_CHAIN_PATH}`, {
      fetchFn: net.fetch,
      retryCount: 0,
    }),
    cacheTime: 0,
  }).extend(publicActions);
  const transfer = (amount: bigint) =>
    client.sendTransaction({
      account: signer,
      chain: null,
      to: USDC_ADDRESS,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: "transfer",
        args: [TREASURY, amount],
      }),
    });
  const balanceOf = (account: Hex) =>
    client.readContract({
      address: USDC_ADDRESS,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [account],
    });
  return { net, client, transfer, balanceOf, pass: (by: number) => ms += by };
}

Deno.test("a transfer is mined into the next block, with one receipt, log and balance", async () => {
  const { client, transfer, balanceOf, pass } = testChain();
  const head = await client.getBlockNumber();
  const hash = await transfer(249_000_000n);
  const pending = await client.getTransaction({ hash });
  assertEquals([pending.blockNumber, pending.blockHash], [null, null]);
  await assertRejects(() => client.getTransactionReceipt({ hash }));
  assertEquals(await balanceOf(TREASURY), 0n);

  pass(20_000);
  const receipt = await client.getTransactionReceipt({ hash });
  assertEquals([receipt.status, receipt.blockNumber], ["success", head + 1n]);
  const block = await client.getBlock({ blockNumber: receipt.blockNumber });
  assertEquals(receipt.blockHash, block.hash);
  assertEquals(block.transactions[receipt.transactionIndex], hash);
  assertEquals(receipt.transactionIndex, block.transactions.length - 1);
  assertEquals(receipt.from, signer.address.toLowerCase());
  const mined = await client.getTransaction({ hash });
  assertEquals(mined.blockHash, block.hash);
  assertEquals(mined.to, USDC_ADDRESS);

  const logs = await client.getLogs({
    address: USDC_ADDRESS,
    event: TRANSFER,
    args: { to: TREASURY },
    fromBlock: head,
    toBlock: head + 1n,
    strict: true,
  });
  assertEquals(logs.length, 1);
  assertEquals(logs[0]!.args, {
    from: signer.address,
    to: getAddress(TREASURY),
    value: 249_000_000n,
  });
  assertEquals(logs[0]!.transactionHash, hash);
  assertEquals(receipt.logs.length, 1);
  assertEquals(await balanceOf(TREASURY), 249_000_000n);
  assertEquals(await balanceOf(signer.address), FAUCET_USDC - 249_000_000n);
});

Deno.test("a transfer above the balance fails and transfers nothing", async () => {
  const { client, transfer, balanceOf, pass } = testChain();
  await transfer(FAUCET_USDC - 5n);
  const hash = await transfer(6n);
  pass(20_000);
  const receipt = await client.getTransactionReceipt({ hash });
  assertEquals([receipt.status, receipt.logs], ["reverted", []]);
  assertEquals(await balanceOf(signer.address), 5n);
});

Deno.test("the nonce grows with each transaction, at once with the tag pending", async () => {
  const { client, transfer, pass } = testChain();
  const { address } = signer;
  const count = (blockTag: "latest" | "pending") =>
    client.getTransactionCount({ address, blockTag });
  const before = await count("latest");
  await transfer(1n);
  assertEquals([await count("latest"), await count("pending")], [
    before,
    before + 1,
  ]);
  pass(20_000);
  assertEquals(await count("latest"), before + 1);
});

Deno.test("eth_call answers the functions of USDC, and reverts for others", async () => {
  const { client } = testChain();
  const read = (functionName: "name" | "symbol" | "decimals") =>
    client.readContract({ address: USDC_ADDRESS, abi: erc20Abi, functionName });
  assertEquals(await read("decimals"), 6);
  assertEquals(await read("symbol"), "USDC");
  assertEquals(await read("name"), "USD Coin");
  assert(await client.getCode({ address: USDC_ADDRESS }));
  await assertRejects(() =>
    client.readContract({
      address: USDC_ADDRESS,
      abi: erc20Abi,
      functionName: "totalSupply",
    })
  );
  const elsewhere = await client.call({ to: TREASURY, data: "0x06fdde03" });
  assertEquals(elsewhere.data, undefined);
});

Deno.test("eth_getLogs filters by block, address and topic", async (t) => {
  const { net, client, transfer, pass } = testChain();
  const block = await client.getBlockNumber() + 1n;
  await transfer(7n);
  pass(60_000);
  const head = await client.getBlockNumber();
  const hex = (number: bigint) => `0x${number.toString(16)}`;
  const found = { fromBlock: hex(block), toBlock: hex(block) };
  const [log] = await client.getLogs({ fromBlock: block, toBlock: block });
  const [event, from, to] = log!.topics;
  const rows: [name: string, filter: object, outcome: number | RegExp][] = [
    ["the block", found, 1],
    ["a range", { ...found, toBlock: hex(head) }, 1],
    ["the blocks after", { ...found, fromBlock: hex(block + 1n) }, /after/],
    ["a range after", { fromBlock: hex(block + 1n), toBlock: "latest" }, 0],
    ["the newest block, by default", {}, 0],
    ["the address in any case", {
      ...found,
      address: USDC_ADDRESS.toUpperCase().replace("0X", "0x"),
    }, 1],
    ["another address", { ...found, address: TREASURY }, 0],
    ["one of two addresses", {
      ...found,
      address: [TREASURY, USDC_ADDRESS],
    }, 1],
    ["all topics", { ...found, topics: [event, from, to] }, 1],
    ["any topic", { ...found, topics: [null, null, [from, to]] }, 1],
    ["topics in another order", { ...found, topics: [event, to, from] }, 0],
    ["more topics than there are", {
      ...found,
      topics: [event, from, to, to],
    }, 0],
    ["blocks to come", { ...found, toBlock: hex(head + 1n) }, /after last/],
    ["too many blocks", {
      fromBlock: hex(head - BigInt(MAX_LOG_BLOCKS)),
      toBlock: hex(head),
    }, /too many blocks/],
    ["no block", { ...found, fromBlock: "newest" }, /invalid argument/],
    ["no filter", { ...found, topics: "0x" }, /invalid argument/],
  ];
  for (const [name, filter, outcome] of rows) {
    await t.step(name, async () => {
      const body = { id: 1, method: "eth_getLogs", params: [filter] };
      const { result, error } = await net.rpc(C_CHAIN_PATH, body);
      if (typeof outcome === "number") assertEquals(result.length, outcome);
      else assert(outcome.test(error.message), error.message);
    });
  }
});

Deno.test("a transaction for another chain, or sent twice, is refused", async () => {
  const { net } = testChain();
  const send = (raw: string) =>
    net.rpc(C_CHAIN_PATH, {
      id: 1,
      method: "eth_sendRawTransaction",
      params: [raw],
    });
  const sign = (chainId: number) =>
    signer.signTransaction({ chainId, to: TREASURY, gasPrice: 1n });
  const raw = await sign(43114);
  const [first, again] = [await send(raw), await send(raw)];
  assert(/^0x[0-9a-f]{64}$/.test(first.result));
  assertEquals(again.error.message, "already known");
  assertEquals((await send(await sign(1))).error.message, "invalid sender");
  assertEquals((await send("0x02c0")).error.message, "rlp: invalid");
  assertEquals((await send("f00")).error.code, -32602);
});
