import { assert, assertEquals, assertMatch } from "@std/assert";
import { C_CHAIN_ID, listChains } from "../../simnet/chains.ts";
import { ANOMALY_CHAIN_IDS } from "../../simnet/series/anomalies.ts";

Deno.test("listChains() lists the C-Chain first and every chain with an anomaly", () => {
  const chains = listChains();
  assertEquals(chains.length, 30);
  assertEquals(chains[0]!.evmChainId, C_CHAIN_ID);
  assertEquals(chains[0]!.chainName, "c_chain");
  for (const id of Object.values(ANOMALY_CHAIN_IDS)) {
    assert(chains.some(({ evmChainId }) => evmChainId === id), `${id}`);
  }
});

Deno.test("listChains() adds generated chains with unique ids", () => {
  const chains = listChains(200);
  assertEquals(new Set(chains.map(({ evmChainId }) => evmChainId)).size, 200);
  assertEquals(chains, listChains(200));
  for (const { blockchainId, subnetId } of chains) {
    assertMatch(blockchainId, /^[1-9A-HJ-NP-Za-km-z]{49,51}$/);
    assertMatch(subnetId, /^[1-9A-HJ-NP-Za-km-z]{37,51}$/);
  }
});

Deno.test("listChains() spans seven orders of magnitude", () => {
  const sizes = listChains().map(({ typicalDailyTxs }) => typicalDailyTxs);
  assert(Math.max(...sizes) / Math.min(...sizes) > 1e7);
});
