/** Where a score stands, in words. */
import { assertEquals } from "@std/assert";
import { standingWords } from "../../../routes/scores/score_words.ts";
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
