import { assertEquals } from "@std/assert";
import { TIER_IDS, TIERS } from "../../../services/model/score_terms_schema.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { standingOf, tierOf } from "../../../services/model/scoring_model.ts";

const headlineTier = (score: number) => tierOf(score, S4_2026_3.floors);

Deno.test("the headline tier at both ends of each", async (t) => {
  const ends: [tier: string, from: number, to: number][] = [
    ["starter", 0, 5],
    ["newcomer", 6, 12],
    ["rising", 13, 22],
    ["established", 23, 47],
    ["elite", 48, 71],
    ["legendary", 72, 100],
  ];
  for (const [tier, from, to] of ends) {
    await t.step(`${tier} from ${from} to ${to}`, () => {
      assertEquals(headlineTier(from).tier, tier);
      assertEquals(headlineTier(to).tier, tier);
    });
  }
});

Deno.test("tiers are six, indexed from the lowest, each with its label", () => {
  assertEquals(TIER_IDS.map((id) => TIERS[id].index), [0, 1, 2, 3, 4, 5]);
  assertEquals(headlineTier(60), { tier: "elite", tierLabel: "Elite" });
});

Deno.test("standingOf() says in which third of its tier a score stands", () => {
  const { floors } = S4_2026_3;
  const cases: [score: number, standing: string][] = [
    [-1, "entered"],
    [0, "entered"],
    [1.9, "entered"],
    [2, "midway"],
    [3.9, "midway"],
    [4, "close"],
    [5, "close"],
    [6, "entered"],
    [23, "entered"],
    [32, "midway"],
    [47, "close"],
    [71, "close"],
    [72, "highest"],
    [100, "highest"],
  ];
  for (const [score, standing] of cases) {
    assertEquals(standingOf(score, floors), standing, `${score}`);
  }
});
