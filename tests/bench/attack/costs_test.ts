/** The committed cost table is what the search finds, and a floor for other strategies. */
import { assert, assertEquals } from "@std/assert";
import {
  CHOICES,
  PARAMETERS,
  type Strategy,
} from "../../../bench/attack/choices.ts";
import { type CostRow, costTable } from "../../../bench/attack/costs.ts";
import { attackerOf } from "../../../bench/attack/search.ts";
import { AFTER } from "../../../bench/attack/targets.ts";
import { tierOf } from "../../../services/model/scoring_model.ts";
import { randomFrom } from "../../support/random.ts";

const COMMITTED: readonly CostRow[] = JSON.parse(
  await Deno.readTextFile(
    new URL("../../../bench/attack/costs.json", import.meta.url),
  ),
);

Deno.test("the committed table has what the search finds: cheaper is no failure, and not hidden", () => {
  const conditions = { farms: [100], gasPrices: [1] };
  assertEquals(
    costTable(AFTER, conditions),
    COMMITTED.filter(({ farm, gasPrice }) => farm === 100 && gasPrice === 1),
    "run deno task attack --write, and update the model card",
  );
});

Deno.test("money split over n wallets never buys a tier for less than the table says", () => {
  const random = randomFrom(1);
  let bought = 0;
  for (const farm of [1, 10, 100, 1_000]) {
    const conditions = { farm, gasPrice: 1, wallets: "none" } as const;
    const attacker = attackerOf(AFTER, conditions);
    for (let nth = 0; nth < 1_500; nth++) {
      const strategy = Object.fromEntries(
        PARAMETERS.map((name) => {
          const choices = name === "bought" ? 1 : CHOICES[name].length;
          return [name, Math.floor(choices * random())];
        }),
      ) as Strategy;
      const { usd, composite } = attacker.attack(strategy);
      const { tier } = tierOf(Math.round(composite), AFTER.floors);
      const row = COMMITTED.find((row) =>
        row.farm === farm && row.gasPrice === 1 && row.tier === tier
      );
      if (row === undefined || row.usd === null) continue;
      bought++;
      assert(usd >= row.usd - 0.01, `${tier} for ${usd}, not ${row.usd}`);
    }
  }
  assert(bought > 1_000, `${bought} reached a priced tier`);
});
