/** The pictures that previews of links show. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  chainCard,
  profileCard,
  scoreCard,
} from "../../../routes/scores/card.ts";
import { TIER_IDS } from "../../../services/model/score_terms_schema.ts";
import { drawFace } from "../../../routes/pages/face.ts";
import { markPagesSimulated } from "../../../routes/pages/layout.ts";
import type { BadgeScore } from "../../../services/scores/public_scores.ts";
import { elementsOf } from "../../support/charts/charts.ts";
import type { ChainMetrics } from "../../../services/chain_data/overview/overview.ts";

const ADDRESS = "0x1234567890abcdef1234567890abcdef12345678";

const textsOf = (svg: unknown) =>
  elementsOf(String(svg)).filter(({ name }) => name === "text")
    .map((
      { attributes: { x, y }, text },
    ) => [x, y, text.trim().replaceAll(/\s+/g, " ")]);

const chainOf = (
  chainName: string,
  more: Partial<ChainMetrics["metrics"][number]> = {},
) =>
  ({
    chain: { chainId: 4337, chainName },
    metrics: [
      { metric: "feesPaid", value: 1, day: "2026-01-01", recent: [] },
      {
        metric: "txCount",
        value: 1234567,
        day: "2026-11-20",
        changePct: -12.5,
        noChange: null,
        recent: [10, null, 20, 5],
        ...more,
      },
    ],
  }) as unknown as ChainMetrics;

const scored = (
  score: number,
  tier: string,
  tierLabel: string,
  composite: number | null = null,
) =>
  ({
    headline: { score, tier, tierLabel },
    composite,
  }) as unknown as BadgeScore;

const UNRATED = { headline: null, composite: null } as unknown as BadgeScore;

Deno.test("the cards of a score and of a profile have the face of the address and the strongest evidence that fits", () => {
  const facts = {
    ...scored(42, "rising", "Rising"),
    strengths: ["Long history", "x".repeat(60), "Active recently"],
  };
  for (
    const card of [
      scoreCard(ADDRESS, facts),
      profileCard({
        address: ADDRESS,
        displayName: "Ada",
        followers: 0,
        facts,
      }),
    ]
  ) {
    assertEquals(
      textsOf(card).find(([, y]) => y === "535")?.[2],
      "Long history · Active recently",
    );
    assertStringIncludes(String(card), String(drawFace(ADDRESS)));
  }
  const unrated = { ...UNRATED, strengths: [] };
  assertEquals(
    textsOf(scoreCard(ADDRESS, unrated)).some(([, y]) => y === "535"),
    false,
  );
});

Deno.test("the cards have the colours of the pages, light and dark", async () => {
  const tokens = await Deno.readTextFile(
    new URL("../../../static/styles/firn/tokens.css", import.meta.url),
  );
  const coloursOf = (name: string) =>
    tokens.match(
      new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`),
    )!.slice(1);
  for (const [nth, look] of (["light", "dark"] as const).entries()) {
    for (const tier of TIER_IDS) {
      const facts = { ...scored(42, tier, "Tier"), strengths: [] };
      const card = String(scoreCard(ADDRESS, facts, look));
      for (const name of ["surface", "ink", "ink-faint", `tier-${tier}`]) {
        assertStringIncludes(card, `"${coloursOf(name)[nth]}"`);
      }
    }
    const chain = String(chainCard(chainOf("Beam"), look));
    assertStringIncludes(chain, `stroke="${coloursOf("accent")[nth]}"`);
  }
});

Deno.test("a card of the demo says that it is simulated", () => {
  const card = () => String(chainCard(chainOf("Beam")));
  assertEquals(card().includes("simulated"), false);
  using _mark = markPagesSimulated();
  assertStringIncludes(card(), "Avalanche, chain 4337 · simulated");
});
