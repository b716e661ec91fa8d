import { assertEquals } from "@std/assert";
import { cChainAccounts } from "../../../services/scores/c_chain_accounts_client.ts";
import type { Http } from "../../../services/platform/http/http_client.ts";
import { type Method, nodeWith } from "../../support/evm/rpc_node.ts";
import {
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../support/upstreams.ts";

const ADDRESS = "0x00000000000000000000000000000000000000aa";

const read = (http: Http) =>
  cChainAccounts(http, "http://up.test/rpc", { chainId: 43114 }).readAccount(
    ADDRESS,
    CALL_OPTIONS,
  );

const account = (methods: Readonly<Record<string, Method>> = {}) =>
  nodeWith({
    eth_getTransactionCount: () => "0x7",
    eth_getCode: () => "0x",
    ...methods,
  });

Deno.test("readAccount asks for the newest state of the address", async () => {
  const { http, asked } = httpThat(account());
  assertEquals(await read(http), {
    body: { nonce: 7, isContract: false },
    source: "C-Chain RPC (up.test)",
  });
  const calls = await Promise.all(asked.map((request) => request.json()));
  assertEquals(calls.map(({ method, params }) => [method, params]), [
    ["eth_chainId", undefined],
    ["eth_getTransactionCount", [ADDRESS, "latest"]],
    ["eth_getCode", [ADDRESS, "latest"]],
  ]);
});

Deno.test("code makes a contract, but not the code of a delegation", async () => {
  const delegate = "d8da6bf26964af9d7eed9e03e53415d37aa96045";
  const cases: [code: string, isContract: boolean][] = [
    ["0x", false],
    [`0xef0100${delegate}`, false],
    [`0xEF0100${delegate.toUpperCase()}`, false],
    [`0xef0100${delegate}00`, true],
    ["0xef0100", true],
    ["0x6080604052", true],
  ];
  for (const [code, isContract] of cases) {
    const { http } = httpThat(account({ eth_getCode: () => code }));
    assertEquals((await read(http)).body.isContract, isContract, code);
  }
});

Deno.test("readAccount makes one fault of every failure, and no zero", async (t) => {
  const failing = (name: string, result: unknown): FailureRow => [
    `${name}: ${JSON.stringify(result)}`,
    account({ [name]: () => result }),
    /another shape/,
  ];
  const error = { code: -32000, message: "missing trie node" };
  const failures: FailureRow[] = [
    failing("eth_getTransactionCount", null),
    failing("eth_getTransactionCount", "0xzz"),
    failing("eth_getTransactionCount", "0xffffffffffffffff"),
    failing("eth_getTransactionCount", "-0x1"),
    failing("eth_getCode", null),
    failing("eth_getCode", 5),
    failing("eth_getCode", "0x0"),
    [
      "an error",
      account({
        eth_getCode: () => Response.json({ jsonrpc: "2.0", id: 1, error }),
      }),
      /missing trie node$/,
    ],
  ];
  await assertFaults(t, read, failures);
});
