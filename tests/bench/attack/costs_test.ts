/** The price list of the model: no tier becomes cheaper, and honest wallets keep their place. */
import { assert, assertEquals } from "@std/assert";
import {
  cheapestFor,
  type CostRow,
  costTable,
  GAS_PRICES,
  RULES,
} from "../../../bench/attack/costs.ts";
import {
  ACCEPTED,
  compositeOf,
  movementOf,
  thresholdsFor,
} from "../../../bench/attack/movements.ts";
import { personaSignals } from "../../../bench/attack/personas.ts";
import { populationSignals } from "../../../bench/attack/population.ts";
import { S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";

const MODELS = { before: S4_2026_1, after: S4_2026_2 };

/** How much cheaper than the committed table a tier may become. */
const TOLERANCE = 0.05;

const COMMITTED: readonly CostRow[] = JSON.parse(
  await Deno.readTextFile(
    new URL("../../../bench/attack/costs.json", import.meta.url),
  ),
);

/** The farms that are searched again here; `deno task attack` searches all. */
const FARMS = [1, 100];

Deno.test("no tier is more than 5 % cheaper to fake than the committed table says", () => {
  const found = costTable(S4_2026_2, RULES.after, { farms: FARMS });
  assertEquals(found.length, 16);
  for (const { gasPrice, farm, tier, usd } of found) {
    const committed = COMMITTED.find((row) =>
      row.gasPrice === gasPrice && row.farm === farm && row.tier === tier
    );
    const name = `${tier}, farm of ${farm}, ${gasPrice} nAVAX`;
    assert(committed, `${name} is not in costs.json`);
    assert(
      usd === null || usd >= (committed.usd ?? 0) * (1 - TOLERANCE),
      `${name}: $${usd} instead of $${committed.usd}`,
    );
  }
});

Deno.test("in farms of 100, established costs $10, elite $100 and legendary $500 at least", () => {
  const floors: Record<string, number> = {
    established: 10,
    elite: 100,
    legendary: 500,
  };
  const rows = COMMITTED.filter(({ farm, tier }) =>
    farm === 100 && tier in floors
  );
  assertEquals(rows.length, 6);
  for (const { tier, usd } of rows) {
    assert(usd !== null && usd >= floors[tier]!, `${tier}: $${usd}`);
  }
});

Deno.test("at equal acceptance of honest wallets a fake costs at least four times as much as before, at both gas prices", () => {
  const population = populationSignals();
  const costsBy = (side: "before" | "after", gasPrice: number) => {
    const model = MODELS[side];
    const composites = population.map((each) => compositeOf(each, model));
    const rules = RULES[side];
    return cheapestFor(
      model,
      { farm: 100, gasPrice, wallets: "none", rules },
      thresholdsFor(composites, ACCEPTED),
    ).map((attack) => attack!.usd);
  };
  for (const gasPrice of GAS_PRICES) {
    const before = costsBy("before", gasPrice);
    for (const [nth, usd] of costsBy("after", gasPrice).entries()) {
      const share = `${100 * ACCEPTED[nth]!} % at ${gasPrice} nAVAX`;
      assert(
        usd >= 4 * before[nth]!,
        `${share}: $${usd}, before $${before[nth]}`,
      );
    }
  }
});

Deno.test("no persona loses two tiers, and the first six lose at most three points", () => {
  const moved = [...personaSignals()].map(([name, signals]) => ({
    name,
    ...movementOf(signals, MODELS),
  }));
  for (const { name, tiersLost } of moved) assert(tiersLost < 2, name);
  for (const { name, before, after } of moved.slice(0, 6)) {
    const lost = before.composite - after.composite;
    assert(lost <= 3, `${name} loses ${lost}`);
  }
});

Deno.test("at most three in a hundred honest wallets lose two tiers", () => {
  const population = populationSignals();
  const falls = population.filter((signals) =>
    movementOf(signals, MODELS).tiersLost >= 2
  );
  assert(falls.length <= 0.03 * population.length, `${falls.length}`);
});
