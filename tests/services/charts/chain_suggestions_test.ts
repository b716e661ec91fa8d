/** Suggestions for mistyped chains. */
import { assertEquals } from "@std/assert";
import { suggestChains } from "../../../services/charts/explorer.ts";

const CHAINS = [
  { chainId: 43114, chainName: "C-Chain" },
  { chainId: 4337, chainName: "Beam L1" },
  { chainId: 432204, chainName: "Dexalot L1" },
  { chainId: 53935, chainName: "DeFi Kingdoms" },
  { chainId: 11, chainName: "twin" },
  { chainId: 12, chainName: "Twin" },
];

Deno.test("suggestChains() lists the most similar names, and ids that begin like the text", () => {
  const rows: [text: string, names: string[]][] = [
    ["Bean", ["Beam L1"]],
    ["dexlot", ["Dexalot L1"]],
    ["kingdom", ["DeFi Kingdoms"]],
    ["cchain", ["C-Chain"]],
    ["TWIN", ["twin", "Twin"]],
    ["43", ["Beam L1", "C-Chain", "Dexalot L1"]],
    ["<script>", []],
    ["zzzz", []],
    [" ", []],
  ];
  for (const [text, names] of rows) {
    const found = suggestChains(text, CHAINS).map(({ chainName }) => chainName);
    assertEquals(found, names, text);
  }
});

Deno.test("suggestChains() lists at most six chains", () => {
  const chains = Array.from({ length: 20 }, (_, index) => ({
    chainId: index + 1,
    chainName: `Chain ${index}`,
  }));
  assertEquals(suggestChains("chain", chains).length, 6);
});
