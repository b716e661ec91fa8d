/** States, changes, shares and ages of chains, in words. */
import { COVERAGE } from "../../../services/chain_data/catalogue/chains_schema.ts";
import { assertEquals } from "@std/assert";
import {
  chainProof,
  changeCell,
  formatAge,
  formatChainShare,
  shortProof,
  stateLegend,
} from "../../../routes/charts/chain_words.ts";
import {
  NO_CHANGE,
  type NoChange,
} from "../../../services/chain_data/overview/overview_schema.ts";
import type { SeriesCheck } from "../../../services/chain_data/catalogue/fields_schema.ts";
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

Deno.test("the legend explains each term of proof, none in the colour of an error, and each state", () => {
  const lines = outlineOf(String(stateLegend()), /^badge-/);
  assertEquals(
    lines.filter((line) => line.startsWith("dt")),
    [
      "dt .badge-good Two sources agree",
      "dt .badge-differ Two sources differ",
      "dt One source only",
      "dt .badge-warn Gap",
      "dt Not indexed",
      ...Object.values(COVERAGE).map(({ term }) => `dt ${term}`),
    ],
  );
  assertEquals(lines.filter((line) => /^dd \S/.test(line)).length, 10);
});

Deno.test("a chain that is compared shows how far the sources agree, in the words of its page", () => {
  const check = { agreementPct: 99.82, comparedDayCount: 2251 } as SeriesCheck;
  const SERVED = { state: "served", since: null } as const;
  const shown = (...given: Parameters<typeof chainProof>) =>
    wordsOf(String(chainProof(...given))).trim();
  assertEquals(
    shown(SERVED, check),
    "Two sources agree on 99.82 % of 2,251 days",
  );
  assertEquals(shown(SERVED, check, shortProof), "Agree 99.82 %");
  const since = "2026-11-20";
  assertEquals(
    shown({ state: "stopped", since }, check, shortProof),
    "Agree 99.82 % source stopped since 2026-11-20",
  );
  assertEquals(
    shown({ state: "late", since }, null),
    "One source only late since 2026-11-20",
  );
  assertEquals(shown({ state: "unread", since: null }, null), "not read yet");
});
