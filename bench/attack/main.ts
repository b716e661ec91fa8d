/**
 * Prints what a wallet of each tier costs to fake, before and after, and how honest
 * wallets move. `--write` writes the cost table and the figures of the model card.
 */
import { S4_2026_1 } from "../../services/model/s4_2026_1.ts";
import { S4_2026_2 } from "../../services/model/s4_2026_2.ts";
import {
  cheapestFor,
  type CostRow,
  costTable,
  PRICED_TIERS,
  RULES,
} from "./costs.ts";
import { FRONTIER } from "./frontier.ts";
import {
  ACCEPTED,
  compositeOf,
  movementOf,
  thresholdsFor,
} from "./movements.ts";
import { personaSignals } from "./personas.ts";
import { populationSignals } from "./population.ts";

const MODELS = { before: S4_2026_1, after: S4_2026_2 };

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

function printPersonas(): void {
  print("\n## Personas: composite and tier\n");
  print("| persona | before | after | tiers lost |\n|--|--|--|--:|");
  for (const [name, signals] of personaSignals()) {
    const { before, after, tiersLost } = movementOf(signals, MODELS);
    const [from, to] = [before, after]
      .map(({ composite, tier }) => `${composite.toFixed(1)} ${tier}`);
    print(`| ${name} | ${from} | ${to} | ${tiersLost} |`);
  }
}

function printPopulation(): void {
  const population = populationSignals();
  const movements = population.map((each) => movementOf(each, MODELS));
  const falls = movements.filter(({ tiersLost }) => tiersLost >= 2).length;
  const share = (100 * falls / population.length).toFixed(1);
  print(`\n## Population of ${population.length}\n`);
  print(`${share} % fall by two tiers or more.\n`);
  print("At equal acceptance of honest wallets, farm of 100, US dollars:\n");
  print(
    `| gas | model | ${
      ACCEPTED.map((share) => `${(100 * share).toFixed(1)} %`).join(" | ")
    } |`,
  );
  print(`|--:|--|${ACCEPTED.map(() => "--:").join("|")}|`);
  for (const gasPrice of [1, 25]) {
    for (const side of ["before", "after"] as const) {
      const model = MODELS[side];
      const composites = population.map((each) => compositeOf(each, model));
      // The share rises from right to left, the composite from left to right.
      const targets = thresholdsFor(composites, ACCEPTED);
      const conditions = {
        farm: 100,
        gasPrice,
        wallets: "none",
        rules: RULES[side],
      } as const;
      const cells = cheapestFor(model, conditions, targets)
        .map((attack) => attack?.usd.toFixed(2) ?? "none");
      print(`| ${gasPrice} | ${model.id} | ${cells.join(" | ")} |`);
    }
  }
}

function printFrontier(): void {
  const population = populationSignals();
  print(
    "\n## Frontier: weights, farm of 100, US dollars at equal acceptance\n",
  );
  print(
    "| humanity / activity / social / economic | gas 1 | gas 25 |\n|--|--|--|",
  );
  for (const model of FRONTIER) {
    const composites = population.map((each) => compositeOf(each, model));
    const targets = thresholdsFor(composites, ACCEPTED);
    const cells = [1, 25].map((gasPrice) =>
      cheapestFor(model, {
        farm: 100,
        gasPrice,
        wallets: "none",
        rules: RULES.after,
      }, targets).map((attack) => attack?.usd.toFixed(2) ?? "none").join(" / ")
    );
    print(
      `| ${Object.values(model.weights).join(" / ")} | ${cells.join(" | ")} |`,
    );
  }
}

const after = costTable(S4_2026_2, RULES.after);
printCosts("s4-2026.1", costTable(S4_2026_1, RULES.before));
printCosts("s4-2026.2", after);
for (const wallets of ["bought", "free"] as const) {
  const options = { farms: [100], wallets };
  printCosts(
    `s4-2026.2, used wallets ${wallets}`,
    costTable(S4_2026_2, RULES.after, options),
  );
}
printPersonas();
printPopulation();
if (Deno.args.includes("--frontier")) printFrontier();
if (Deno.args.includes("--write")) {
  const path = new URL("costs.json", import.meta.url);
  await Deno.writeTextFile(path, `${JSON.stringify(after, null, 2)}\n`);
}
