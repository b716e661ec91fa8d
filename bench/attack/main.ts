/**
 * Prints what a wallet of each tier costs to fake, and where honest wallets stand.
 * `--write` writes the cost table of the model card.
 */
import { S4_2026_3 } from "../../services/model/s4_2026_3.ts";
import { TIER_IDS } from "../../services/model/score_terms_schema.ts";
import { tierOf } from "../../services/model/tiers.ts";
import {
  cheapestFor,
  type CostRow,
  costTable,
  PRICED_TIERS,
  RULES,
} from "./costs.ts";
import { ACCEPTED, compositeOf, thresholdsFor } from "./movements.ts";
import { personaSignals } from "./personas.ts";
import { populationSignals } from "./population.ts";

// deno-lint-ignore no-console -- this program prints a report.
const print = console.log;

function printCosts(name: string, rows: readonly CostRow[]): void {
  print(`\n## ${name}: US dollars a wallet (days)\n`);
  print(`| gas | farm | ${PRICED_TIERS.join(" | ")} |`);
  print(`|--:|--:|${PRICED_TIERS.map(() => "--:").join("|")}|`);
  for (const { gasPrice, farm } of rows.filter((_, nth) => nth % 4 === 0)) {
    const cells = rows
      .filter((row) => row.gasPrice === gasPrice && row.farm === farm)
      .map(({ usd, days }) => usd === null ? "none" : `${usd} (${days})`);
    print(`| ${gasPrice} | ${farm} | ${cells.join(" | ")} |`);
  }
}

function standing(composite: number) {
  return tierOf(Math.round(composite), S4_2026_3.floors);
}

function printPersonas(): void {
  print("\n## Personas\n");
  print("| persona | composite | tier |\n|--|--:|--|");
  for (const [name, signals] of personaSignals()) {
    const composite = compositeOf(signals, S4_2026_3);
    print(`| ${name} | ${composite} | ${standing(composite).tier} |`);
  }
}

function printPopulation(): void {
  const composites = populationSignals()
    .map((each) => compositeOf(each, S4_2026_3));
  print(`\n## Population of ${composites.length}\n`);
  for (const tier of TIER_IDS) {
    const some = composites.filter((each) => standing(each).tier === tier);
    const share = (100 * some.length / composites.length).toFixed(1);
    print(`- ${tier}: ${share} %`);
  }
  const shares = ACCEPTED.map((share) => `${(100 * share).toFixed(1)} %`);
  print("\nAt equal acceptance of honest wallets, farm of 100, US dollars:\n");
  print(`| gas | ${shares.join(" | ")} |`);
  print(`|--:|${ACCEPTED.map(() => "--:").join("|")}|`);
  // The share rises from right to left, the composite from left to right.
  const targets = thresholdsFor(composites, ACCEPTED);
  for (const gasPrice of [1, 25]) {
    const conditions = {
      farm: 100,
      gasPrice,
      wallets: "none",
      rules: RULES,
    } as const;
    const cells = cheapestFor(S4_2026_3, conditions, targets)
      .map((attack) => attack?.usd.toFixed(2) ?? "none");
    print(`| ${gasPrice} | ${cells.join(" | ")} |`);
  }
}

const costs = costTable(S4_2026_3, RULES);
printCosts(S4_2026_3.id, costs);
for (const wallets of ["bought", "free"] as const) {
  printCosts(
    `${S4_2026_3.id}, used wallets ${wallets}`,
    costTable(S4_2026_3, RULES, { farms: [100], wallets }),
  );
}
printPersonas();
printPopulation();
if (Deno.args.includes("--write")) {
  const path = new URL("costs.json", import.meta.url);
  await Deno.writeTextFile(path, `${JSON.stringify(costs, null, 2)}\n`);
}
