/** Splitting money over wallets: what a tier costs is a floor for every strategy. */
import { assert } from "@std/assert";
import { type CostRow, RULES } from "../../../bench/attack/costs.ts";
import { attackerOf } from "../../../bench/attack/search.ts";
import {
  CHOICES,
  PARAMETERS,
  type Strategy,
} from "../../../bench/attack/choices.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { tierOf } from "../../../services/model/tiers.ts";
import { randomFrom } from "../../support/random.ts";

const COSTS: readonly CostRow[] = JSON.parse(
  await Deno.readTextFile(
    new URL("../../../bench/attack/costs.json", import.meta.url),
  ),
);

/** Wallets that share the money. */
const WALLETS = [1, 10, 100, 1_000];

Deno.test("money split over n wallets never buys tiers whose costs add up to more than was spent", () => {
  const random = randomFrom(1);
  let bought = 0;
  for (const farm of WALLETS) {
    const attacker = attackerOf(S4_2026_3, {
      farm,
      gasPrice: 1,
      wallets: "none",
      rules: RULES,
    });
    for (let nth = 0; nth < 1_500; nth++) {
      const strategy = Object.fromEntries(
        PARAMETERS.map((name) => {
          const choices = name === "bought" ? 1 : CHOICES[name].length;
          return [name, Math.floor(choices * random())];
        }),
      ) as Strategy;
      const { usd, composite } = attacker.attack(strategy);
      const { tier } = tierOf(Math.round(composite), S4_2026_3.floors);
      const row = COSTS.find((row) =>
        row.farm === farm && row.gasPrice === 1 && row.tier === tier
      );
      const worth = row?.usd ?? 0;
      if (worth > 0) bought++;
      assert(
        farm * usd >= 0.95 * farm * worth,
        `${farm} wallets are ${tier} for $${usd}, not $${worth}`,
      );
    }
  }
  assert(bought > 1_000, `${bought} reached a priced tier`);
});
