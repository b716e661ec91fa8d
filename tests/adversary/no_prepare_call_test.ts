/** A signature makes no call before the contract of an account that exists. */
import { assertEquals } from "@std/assert";
import {
  encodeFunctionData,
  hashMessage,
  type Hex,
  parseAbi,
  serializeErc6492Signature,
} from "viem";
import { isSignedBy } from "../../services/accounts/signatures.ts";
import { testDeps } from "../support/deps.ts";
import { nodeWith } from "../support/evm/rpc_node.ts";

const ACCOUNT = `0x${"ac".repeat(20)}`;
const INNER: Hex = "0x1234";
const message = "a message";

/** Calldata that the attacker wants to be run first, for example to become the owner. */
const PREPARE = {
  address: `0x${"ff".repeat(20)}`,
  data: "0xbadbadba",
} as const;

const wrap = (signature: Hex) =>
  serializeErc6492Signature({ ...PREPARE, signature });

Deno.test("a wrapped signature of a deployed account is checked without its prepare call", async () => {
  const calls: { to?: string; data: string }[] = [];
  const node = nodeWith({
    eth_getCode: () => "0x60",
    eth_call(call) {
      calls.push(call as unknown as { to?: string; data: string });
      // The contract refuses; with the prepared change it would accept.
      const { to } = calls.at(-1)!;
      return to === undefined
        ? `0x${"1".padStart(64, "0")}`
        : `0x${"f".repeat(8)}${"0".repeat(56)}`;
    },
  });
  using deps = await testDeps({
    settings: { C_CHAIN_RPC_URL: "http://node.test" },
    fetch: async (input, init) => await node(new Request(input, init)),
  });
  for (const signature of [wrap(INNER), wrap(wrap(INNER))]) {
    calls.length = 0;
    const signed = { message, signature };
    assertEquals(
      await isSignedBy(deps, { address: ACCOUNT, hostname: null }, signed),
      false,
    );
    const inner = signature === wrap(INNER) ? INNER : wrap(INNER);
    const data = encodeFunctionData({
      abi: parseAbi(["function isValidSignature(bytes32, bytes)"]),
      args: [hashMessage(message), inner],
    });
    assertEquals(calls.map(({ to, data }) => [to, data]), [[ACCOUNT, data]]);
  }
});
