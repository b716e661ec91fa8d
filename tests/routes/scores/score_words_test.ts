/** Where a score stands, and what a copy costs, in words. */
import { assertEquals } from "@std/assert";
import {
  amongWords,
  copyWords,
  standingWords,
} from "../../../routes/scores/score_words.ts";
import { TIER_IDS, TIERS } from "../../../services/model/score_terms_schema.ts";

Deno.test("standingWords() names the own tier, or the next one when that is close", () => {
  for (const [at, tier] of TIER_IDS.entries()) {
    const tierLabel = TIERS[tier].label;
    const next = TIER_IDS[at + 1];
    const words = (standing: Parameters<typeof standingWords>[0]) =>
      standingWords(standing, { tier, tierLabel });
    assertEquals(words("entered"), `In the lower part of ${tierLabel}`);
    assertEquals(words("midway"), `Midway through ${tierLabel}`);
    assertEquals(words("highest"), "In the highest tier");
    if (next) assertEquals(words("close"), `Close to ${TIERS[next].label}`);
  }
});

Deno.test("amongWords() says how a score stands among real wallets", () => {
  const words = (percent: number) =>
    `Higher than about ${percent} % of wallets with ten or more transactions`;
  const none = "Lower than most wallets with ten or more transactions";
  const rows: [composite: number, words: string][] = [
    [0, none],
    [4.3, none],
    [5, words(5)],
    [15, words(50)],
    [18.5, words(70)],
    [100, words(99)],
  ];
  for (const [composite, expected] of rows) {
    assertEquals(amongWords(composite), expected);
  }
});

Deno.test("copyWords() says what a copy costs, and how long it takes", () => {
  const of = (usd: number, days: number) =>
    copyWords({ usd, of: 100, alone: usd, days, asOf: "2026-11" });
  const end = ", each in a farm of 100, at prices of November 2026.";
  const start = "A copy of this wallet’s evidence would cost ";
  assertEquals(of(0, 0), `${start}less than a cent${end}`);
  assertEquals(of(0.2, 1), `${start}about 0.20 USD and a day of waiting${end}`);
  assertEquals(
    of(12.61, 700),
    `${start}about 12.61 USD and 700 days of waiting${end}`,
  );
});
