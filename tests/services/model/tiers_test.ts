import { assertEquals } from "@std/assert";
import { TIER_IDS, TIERS } from "../../../services/model/score_terms_schema.ts";
import { S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";
import {
  legacyTier,
  standingOf,
  tierOf,
} from "../../../services/model/tiers.ts";

const headlineTier = (score: number) => tierOf(score, S4_2026_2.floors);

Deno.test("the headline tier at both ends of each", async (t) => {
  const ends: [tier: string, from: number, to: number][] = [
    ["starter", 0, 11],
    ["newcomer", 12, 42],
    ["rising", 43, 61],
    ["established", 62, 86],
    ["elite", 87, 96],
    ["legendary", 97, 100],
  ];
  for (const [tier, from, to] of ends) {
    await t.step(`${tier} from ${from} to ${to}`, () => {
      assertEquals(headlineTier(from).tier, tier);
      assertEquals(headlineTier(to).tier, tier);
    });
  }
});

Deno.test("the tiers of the first model begin at 0, 15, 30, 45, 65 and 85", () => {
  const tierAt = (score: number) => tierOf(score, S4_2026_1.floors).tier;
  for (const [nth, floor] of [0, 15, 30, 45, 65, 85].entries()) {
    assertEquals(tierAt(floor), TIER_IDS[nth]);
    if (nth > 0) assertEquals(tierAt(floor - 1), TIER_IDS[nth - 1]);
  }
});

Deno.test("the legacy tier at both ends of each, in tenths of a point", async (t) => {
  const ends: [tier: string, from: number, to: number][] = [
    ["starter", 0, 4.9],
    ["newcomer", 5, 9.9],
    ["rising", 10, 24.9],
    ["established", 25, 49.9],
    ["elite", 50, 99.9],
    ["legendary", 100, 100],
  ];
  for (const [tier, from, to] of ends) {
    await t.step(`${tier} from ${from} to ${to}`, () => {
      assertEquals(legacyTier(from).tier, tier);
      assertEquals(legacyTier(to).tier, tier);
    });
  }
});

Deno.test("tiers are six, indexed from the lowest, each with its label", () => {
  assertEquals(TIER_IDS.map((id) => TIERS[id].index), [0, 1, 2, 3, 4, 5]);
  assertEquals(headlineTier(90), { tier: "elite", tierLabel: "Elite" });
});

Deno.test("standingOf() says in which third of its tier a score stands", () => {
  const { floors } = S4_2026_2;
  const cases: [score: number, standing: string][] = [
    [-1, "entered"],
    [0, "entered"],
    [3.9, "entered"],
    [4, "midway"],
    [7.9, "midway"],
    [8, "close"],
    [11, "close"],
    [12, "entered"],
    [22, "entered"],
    [23, "midway"],
    [33, "close"],
    [43, "entered"],
    [96, "close"],
    [97, "highest"],
    [100, "highest"],
  ];
  for (const [score, standing] of cases) {
    assertEquals(standingOf(score, floors), standing, `${score}`);
  }
});
