/** States, changes, shares and ages of chains, in words. */
import { assertEquals } from "@std/assert";
import {
  changeCell,
  formatAge,
  formatChainShare,
  stateLegend,
} from "../../../routes/charts/chain_words.ts";
import {
  NO_CHANGE,
  type NoChange,
} from "../../../services/chain_data/overview/overview_schema.ts";
import { wordsOf } from "../../support/charts/explorer.ts";
import { outlineOf } from "../../support/outline.ts";

Deno.test("shares, ages and changes say when they are too small, too close to all, or none", () => {
  const shares: [pct: number, words: string][] = [
    [0, "0.00 %"],
    [0.009, "< 0.01 %"],
    [0.01, "0.01 %"],
    [12.345, "12.35 %"],
    [33.333, "33.33 %"],
    [99.994, "99.99 %"],
    [99.995, "> 99.99 %"],
    [99.999, "> 99.99 %"],
    [100, "100.00 %"],
  ];
  for (const [pct, words] of shares) assertEquals(formatChainShare(pct), words);
  const ages: [days: number, words: string][] = [
    [0, "0 days"],
    [1, "1 day"],
    [30, "30 days"],
    [30.4375, "1 month"],
    [31, "1 month"],
    [60, "1 month"],
    [61, "2 months"],
    [365, "11 months"],
    [365.25, "1 year"],
    [366, "1 year"],
    [730, "1 year"],
    [730.5, "2 years"],
    [731, "2 years"],
    [3652, "9 years"],
    [3653, "10 years"],
  ];
  for (const [days, words] of ages) assertEquals(formatAge(days), words);
  for (const [noChange, words] of Object.entries(NO_CHANGE)) {
    const cell = String(
      changeCell({ changePct: null, noChange: noChange as NoChange }),
    );
    assertEquals(wordsOf(cell).trim(), words);
  }
  assertEquals(String(changeCell({ changePct: 0, noChange: null })), "0 %");
});

Deno.test("the legend of states explains each state", () => {
  assertEquals(outlineOf(String(stateLegend()), /^badge-/), [
    "dt .badge-bad disputed",
    "dd a source withdraws a day of the last 30, or a second source disagrees on one",
    "dt .badge-warn late",
    "dd the chain's newest day is older than the C-Chain's",
    "dt .badge-good fresh",
    "dd the newest published day is stored",
    "dt idle",
    "dd no transaction in the last seven published days",
    "dt unread",
    "dd the series of this chain has not been read yet",
  ]);
});
