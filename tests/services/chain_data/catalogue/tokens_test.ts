/** Symbols of native tokens. */
import { assertEquals } from "@std/assert";
import {
  chainNameOf,
  TOKENS,
} from "../../../../services/chain_data/catalogue/chains.ts";
import tokens from "../../../fixtures/l1_chain_tokens.json" with {
  type: "json",
};

// From `constants/l1-chains.json` of ava-labs/builders-hub (BSD-3-Clause).

Deno.test("TOKENS has the symbols of the published list of L1s", () => {
  assertEquals(TOKENS, tokens);
});

Deno.test("chainNameOf() names the C-Chain, and other chains as they are listed", () => {
  assertEquals(chainNameOf(43_114, "Avalanche (C-Chain)"), "C-Chain");
  assertEquals(
    chainNameOf(43_115, "Avalanche (C-Chain)"),
    "Avalanche (C-Chain)",
  );
});
