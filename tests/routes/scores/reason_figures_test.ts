/** The figures behind the reasons of a score. */
import { assertEquals } from "@std/assert";
import { figuresBehind } from "../../../routes/scores/score_parts.ts";
import type { ReasonCode } from "../../../services/model/reasons_schema.ts";
import type { Figures } from "../../../services/scores/public_scores.ts";

const FIGURES: Figures = {
  transactions: 1412,
  activeDays: 96,
  isCut: false,
  firstDay: "2023-08-01",
  lastDay: "2026-11-20",
  ageDays: 1208,
  idleDays: 1,
  payers: 6,
  gasAvax: 0.123456,
  socials: ["github", "domain"],
  followers: 12,
  mutual: 3,
  thin: 4,
  burst: 5,
  premiumMonths: 1,
  donatedUsdc: 2.505,
};

const wordsOf = (code: ReasonCode, more: Partial<Figures> = {}) =>
  figuresBehind(code, { ...FIGURES, ...more });

Deno.test("each reason shows its own figures", () => {
  const rows: [code: ReasonCode, words: string][] = [
    ["LIMITED_ONCHAIN_HISTORY", "1,412 transactions"],
    ["STALE_SIGNALS", "Last transaction on 20 Nov 2026, 1 day ago"],
    ["SMALL_GRAPH", "12 followers"],
    ["FOLLOW_RING", "3 of 12 followers followed back"],
    ["FOLLOWER_BURST", "5 of 12 followers within 24 hours"],
    ["THIN_FOLLOWERS", "4 of 12 followers without a history"],
    ["COLLECTED_BEFORE_USE", "Paid by 6 addresses"],
    ["NEW_WALLET", "First transaction on 1 Aug 2023, 3 years ago"],
    ["DORMANT", "Last transaction on 20 Nov 2026, 1 day ago"],
    ["CONCENTRATED_ACTIVITY", "1,412 transactions on 96 days"],
    ["LOW_COST_FOOTPRINT", "1,412 transactions, 0.1235 AVAX of gas"],
    ["LONG_HISTORY", "First transaction on 1 Aug 2023, 3 years ago"],
    ["VERIFIED_SOCIALS", "GitHub, a domain"],
    ["RECENT_ACTIVITY", "Last transaction on 20 Nov 2026, 1 day ago"],
    ["SUSTAINED_ACTIVITY", "1,412 transactions on 96 days"],
    ["HIGH_ACTIVITY", "1,412 transactions on 96 days"],
    ["QUALITY_FOLLOWERS", "12 followers"],
    ["CLEAN_GRAPH", "12 followers"],
    ["GAS_SPENT", "0.1235 AVAX of gas"],
    ["PREMIUM_MEMBER", "1 month"],
    ["DONOR", "2.505 USDC"],
  ];
  for (const [code, words] of rows) assertEquals(wordsOf(code), words, code);
});

Deno.test("figures say when days and gas are unknown, count one in the singular, and round fractions", () => {
  assertEquals(
    wordsOf("HIGH_ACTIVITY", { transactions: 1, activeDays: 1, isCut: true }),
    "1 transaction on at least 1 day",
  );
  assertEquals(
    wordsOf("GAS_SPENT", { isCut: true }),
    "At least 0.1235 AVAX of gas",
  );
  assertEquals(
    wordsOf("LOW_COST_FOOTPRINT", { isCut: true }),
    "1,412 transactions, at least 0.1235 AVAX of gas",
  );
  assertEquals(wordsOf("LONG_HISTORY", { firstDay: null }), null);
  assertEquals(wordsOf("DORMANT", { lastDay: null }), null);
  assertEquals(wordsOf("SMALL_GRAPH", { followers: 1 }), "1 follower");
  assertEquals(wordsOf("PREMIUM_MEMBER", { premiumMonths: 0 }), "0 months");
  const gas: [avax: number, words: string][] = [
    [0.99996, "1 AVAX of gas"],
    [1, "1 AVAX of gas"],
    [1.23456, "1.23 AVAX of gas"],
    [1234.5, "1,234.5 AVAX of gas"],
  ];
  for (const [gasAvax, words] of gas) {
    assertEquals(wordsOf("GAS_SPENT", { gasAvax }), words);
  }
  assertEquals(figuresBehind("UNKNOWN" as ReasonCode, FIGURES), null);
});

Deno.test("how long ago something was is in days up to two months, then in whole months, then in whole years", () => {
  const rows: [days: number, words: string][] = [
    [0, "less than a day ago"],
    [1, "1 day ago"],
    [60, "60 days ago"],
    [61, "2 months ago"],
    [91, "2 months ago"],
    [92, "3 months ago"],
    [730, "23 months ago"],
    [731, "2 years ago"],
    [1095, "2 years ago"],
    [1096, "3 years ago"],
    [3652, "9 years ago"],
    [3653, "10 years ago"],
  ];
  for (const [idleDays, words] of rows) {
    assertEquals(
      wordsOf("DORMANT", { idleDays }),
      `Last transaction on 20 Nov 2026, ${words}`,
    );
  }
  // A month has 30.44 days, and a year 365.25.
  assertEquals(
    wordsOf("DORMANT", { idleDays: 60.88 })?.endsWith("2 months ago"),
    true,
  );
  assertEquals(
    wordsOf("DORMANT", { idleDays: 730.5 })?.endsWith("2 years ago"),
    true,
  );
});
