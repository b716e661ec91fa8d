import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  encodeFunctionData,
  erc20Abi,
  toHex,
  verifyMessage,
  verifyTypedData,
} from "viem";
import { C_CHAIN_PATH } from "../../../simnet/c_chain/c_chain.ts";
import { DEMO_ACCOUNTS } from "../../../simnet/demo_wallet/demo_accounts.ts";
import { demoWallet } from "../../../simnet/demo_wallet/demo_wallet.ts";
import { USDC_ADDRESS } from "../../../simnet/c_chain/usdc.ts";
import { type Json, NOW, testNet } from "../support.ts";

const { address } = DEMO_ACCOUNTS[0]!.signer;
const TREASURY = "0xf142000000000000000000000000000000de3000";

const TYPED_DATA = {
  domain: { name: "Firn Score", version: "1", chainId: 43114 },
  types: { Note: [{ name: "text", type: "string" }] },
  primaryType: "Note",
  message: { text: "hello" },
} as const;

/** A wallet on a chain with a movable clock. */
function testWallet() {
  let ms = NOW.getTime();
  const net = testNet({ now: () => new Date(ms) });
  const nodeUrl = `http://simnet${C_CHAIN_PATH}`;
  const wallet = demoWallet({ nodeUrl, fetch: net.fetch });
  async function call(method: string, ...params: unknown[]): Promise<Json> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const request = new Request("http://demo/", { method: "POST", body });
    return await (await wallet(request)).json();
  }
  return { call, pass: (byMs: number) => ms += byMs };
}

Deno.test("personal_sign signs with the demo account", async () => {
  const { call } = testWallet();
  const { result: addresses } = await call("eth_accounts");
  assertEquals(addresses.length, DEMO_ACCOUNTS.length);
  const message = "line one\nline two";
  for (const sent of [message, toHex(message)]) {
    for (const address of addresses) {
      const { result: signature } = await call("personal_sign", sent, address);
      assertEquals(await verifyMessage({ address, message, signature }), true);
    }
  }
});

Deno.test("eth_signTypedData_v4 accepts JSON text and objects", async () => {
  const { call } = testWallet();
  for (const sent of [TYPED_DATA, JSON.stringify(TYPED_DATA)]) {
    const { result: signature } = await call(
      "eth_signTypedData_v4",
      address,
      sent,
    );
    const data = { ...TYPED_DATA, address, signature };
    assertEquals(await verifyTypedData(data), true);
  }
});

Deno.test("eth_sendTransaction sends a transfer that the node returns", async () => {
  const { call, pass } = testWallet();
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [TREASURY, 249_000_001n],
  });
  const wanted = { from: address, to: USDC_ADDRESS, data };
  const { result: described } = await call(
    "demo_describe",
    "eth_sendTransaction",
    [wanted],
  );
  assertEquals(described, {
    title: "Send simulated USDC",
    text: `249.000001 USDC\nto ${TREASURY}`,
  });
  const { result: hash } = await call("eth_sendTransaction", wanted);
  pass(20_000);
  const { result: receipt } = await call("eth_getTransactionReceipt", hash);
  assertEquals([receipt.status, receipt.logs.length], ["0x1", 1]);
  const { result: [account] } = await call("demo_listAccounts");
  assertEquals(account.usdc, "99750.999999");
});

Deno.test("demo_describe describes each request that needs confirmation", async () => {
  const { call } = testWallet();
  const describe = async (method: string, ...params: unknown[]) =>
    (await call("demo_describe", method, params)).result;
  assertEquals(await describe("personal_sign", toHex("héllo"), address), {
    title: "Sign a message",
    text: "héllo",
  });
  const data = await describe("eth_signTypedData_v4", address, TYPED_DATA);
  assertStringIncludes(data.text, '"text": "hello"');
  const payment = await describe("eth_sendTransaction", {
    to: TREASURY,
    value: "0x16345785d8a0000",
  });
  assertStringIncludes(payment.text, `0.1 AVAX\nto ${TREASURY}`);
});

Deno.test("the demo wallet returns standard errors", async (t) => {
  const { call } = testWallet();
  const rows: [method: string, params: unknown[], code: number][] = [
    ["personal_sign", ["hello", TREASURY], 4100],
    ["eth_signTypedData_v4", [TREASURY, TYPED_DATA], 4100],
    ["eth_sendTransaction", [{ from: TREASURY, to: address }], 4100],
    ["eth_sendTransaction", [], 4100],
    ["wallet_switchEthereumChain", [{ chainId: "0x1" }], 4902],
    ["wallet_switchEthereumChain", [], 4902],
    ["demo_describe", ["eth_chainId", []], -32602],
    ["demo_describe", ["toString", []], -32602],
    ["demo_describe", ["eth_sendTransaction", [{ value: "much" }]], -32603],
    ["eth_signTypedData_v4", [address, "{"], -32603],
    ["eth_getBalance", ["nobody"], -32602],
    ["eth_mine", [], -32601],
  ];
  for (const [method, params, code] of rows) {
    await t.step(
      `${method} ${JSON.stringify(params).slice(0, 30)}`,
      async () =>
        assertEquals((await call(method, ...params)).error.code, code),
    );
  }
  const switched = await call("wallet_switchEthereumChain", {
    chainId: "0xa86a",
  });
  assertEquals(switched.result, null);
  assertEquals((await call("eth_chainId")).result, "0xa86a");
});
