/** The links out of the pages of chains. */
import { assert, assertEquals } from "@std/assert";
import { linksOf } from "../../../../services/chain_data/catalogue/chain_links.ts";
import { listChains } from "../../../../simnet/chains.ts";

Deno.test("each real chain of the simulated list has links, all of them plain https addresses", () => {
  for (const { evmChainId, subnetId, chainName } of listChains()) {
    const { site, explorers } = linksOf({ chainId: evmChainId, subnetId });
    assert(explorers.length > 0, chainName);
    for (const link of [...explorers, ...site === null ? [] : [site]]) {
      const { protocol, username, port, search } = new URL(link);
      assertEquals([protocol, username, port, search], ["https:", "", "", ""]);
    }
  }
});

Deno.test("a chain with the id of another one of the list has no links", () => {
  const nothing = { category: null, site: null, explorers: [] };
  assertEquals(linksOf({ chainId: 4337, subnetId: "other" }), nothing);
  assertEquals(linksOf({ chainId: 9, subnetId: "other" }), nothing);
});
