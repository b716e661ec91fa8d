/** Signatures of key pairs, and what is asked of the node for all others. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  hashMessage,
  parseSignature,
  recoverAddress,
  serializeCompactSignature,
  signatureToCompactSignature,
} from "viem";
import { isSignedBy } from "../../../services/accounts/signatures.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { testDeps } from "../../support/deps.ts";
import { keyPair, twinOf } from "../../support/owners.ts";
import { nodeWith } from "../../support/evm/rpc_node.ts";

const SIGNER = keyPair();
const address = SIGNER.address.toLowerCase();
const message = "a message";
const signature = await SIGNER.signMessage({ message });

Deno.test("isSignedBy() accepts a key pair's signature without asking the node", async (t) => {
  using deps = await testDeps();
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const body = signature.slice(0, -2);
  const recoveryIs28 = signature.endsWith("1c");
  const signatures = {
    "as wallets make it": signature,
    "in upper case": `0x${signature.slice(2).toUpperCase()}`,
    "in the compact form of ERC-2098": serializeCompactSignature(
      signatureToCompactSignature(parseSignature(signature)),
    ),
    "with the recovery bit as 0 or 1": body + (recoveryIs28 ? "01" : "00"),
  };
  for (const [name, signature] of Object.entries(signatures)) {
    await t.step(name, async () => {
      assert(
        await isSignedBy(deps, { address: address, hostname: null }, {
          message,
          signature,
        }),
      );
    });
  }
});

Deno.test("isSignedBy() refuses the twin of a good signature, which recovers to the same address", async () => {
  using deps = await testDeps();
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const twin = twinOf(signature);
  const hash = hashMessage(message);
  const signer = await recoverAddress({ hash, signature: twin });
  assertEquals(signer, SIGNER.address, "the library itself takes the twin");
  assertEquals(
    await isSignedBy(deps, { address: address, hostname: null }, {
      message,
      signature: twin,
    }),
    false,
  );
});

Deno.test("isSignedBy() asks the node about what no key pair of this address signed", async (t) => {
  using deps = await testDeps();
  const other = await keyPair(2).signMessage({ message });
  const signatures = {
    "another key pair's": other,
    "of another message": await SIGNER.signMessage({ message: "another" }),
    "too short": "0x01",
    "too long": `${signature}00`,
    "of zeroes": `0x${"00".repeat(65)}`,
    "with r and s of no curve": `0x${"ff".repeat(64)}1b`,
  };
  for (const [name, signature] of Object.entries(signatures)) {
    await t.step(`${name}: no, as there is no contract`, async () => {
      deps.upstreams.cChainRpc.switch.set({ mode: "ok" });
      assertEquals(
        await isSignedBy(deps, { address: address, hostname: null }, {
          message,
          signature,
        }),
        false,
      );
    });
    await t.step(`${name}: a fault, with the node down`, async () => {
      deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
      const asked = isSignedBy(deps, { address: address, hostname: null }, {
        message,
        signature,
      });
      const { failure } = await assertRejects(() => asked, Fault) as Fault;
      assertEquals(failure.kind, "upstreamDown");
    });
  }
});

Deno.test("isSignedBy() asks every node, so that none by itself can sign for anybody", async () => {
  const saying = (isGood: boolean) =>
    nodeWith({
      eth_getCode: () => "0x60",
      eth_call: () =>
        `${isGood ? "0x1626ba7e" : "0xffffffff"}${"0".repeat(56)}`,
    });
  const verdicts = [[true, true], [true, false], [false, true]];
  for (const verdict of verdicts) {
    const nodes = verdict.map(saying);
    using deps = await testDeps({
      settings: { C_CHAIN_RPC_URL: "http://node0.test,http://node1.test" },
      async fetch(input, init) {
        const request = new Request(input, init);
        return await nodes[Number(request.url.includes("node1"))]!(request);
      },
    });
    assertEquals(
      await isSignedBy(deps, { address: address, hostname: null }, {
        message,
        signature: "0x01",
      }),
      verdict.every(Boolean),
      String(verdict),
    );
  }
});
