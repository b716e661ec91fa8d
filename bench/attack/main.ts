/**
 * Prints what a wallet of each tier costs to fake, before and after, at the same prices,
 * and how honest wallets move. `--write` writes the table of the model card.
 */
import { TIER_IDS } from "../../services/model/score_terms_schema.ts";
import { tierOf } from "../../services/model/scoring_model.ts";
import {
  cheapestFor,
  type CostRow,
  costTable,
  GAS_PRICES,
  PRICED_TIERS,
} from "./costs.ts";
import { type Honest, personas } from "./personas.ts";
import { population } from "./population.ts";
import { NOW } from "./honest_life.ts";
import { AFTER, BEFORE, type Target } from "./targets.ts";

/** Shares of honest wallets at which models are compared. */
const ACCEPTED = [0.28, 0.15, 0.08, 0.016];

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

function compositeOf({ past, ...signals }: Honest, target: Target): number {
  return target.summarize(past, NOW)(signals);
}

function tierIn(target: Target, composite: number): string {
  return tierOf(Math.round(composite), target.floors).tier;
}

function printPersonas(): void {
  print("\n## Simulated honest wallets: composite and tier\n");
  print("| kind | before | after |\n|--|--|--|");
  for (const [name, wallet] of personas()) {
    const cells = [BEFORE, AFTER].map((target) => {
      const composite = compositeOf(wallet, target);
      return `${composite.toFixed(1)} ${tierIn(target, composite)}`;
    });
    print(`| ${name} | ${cells.join(" | ")} |`);
  }
}

function printPopulation(): void {
  const wallets = population();
  const composites = new Map(
    [BEFORE, AFTER].map((target) => [
      target,
      wallets.map((wallet) => compositeOf(wallet, target)),
    ]),
  );
  print(`\n## Population of ${wallets.length}: percent in each tier\n`);
  print(`| model | ${TIER_IDS.join(" | ")} |`);
  print(`|--|${TIER_IDS.map(() => "--:").join("|")}|`);
  for (const [target, scores] of composites) {
    const cells = TIER_IDS.map((tier) => {
      const count = scores.filter((one) => tierIn(target, one) === tier).length;
      return (100 * count / scores.length).toFixed(1);
    });
    print(`| ${target.id} | ${cells.join(" | ")} |`);
  }
  print("\nAt equal acceptance of these, farm of 100, US dollars:\n");
  const shares = ACCEPTED.map((share) => `${(100 * share).toFixed(1)} %`);
  print(`| gas | model | ${shares.join(" | ")} |`);
  print(`|--:|--|${ACCEPTED.map(() => "--:").join("|")}|`);
  for (const gasPrice of GAS_PRICES) {
    for (const [target, scores] of composites) {
      const sorted = scores.toSorted((a, b) => b - a);
      const found = cheapestFor(
        target,
        { farm: 100, gasPrice, wallets: "none" },
        ACCEPTED.map((share) => sorted[Math.floor(share * sorted.length)]!),
      );
      const cells = found.map((attack) => attack?.usd.toFixed(2) ?? "none");
      print(`| ${gasPrice} | ${target.id} | ${cells.join(" | ")} |`);
    }
  }
}

const after = costTable(AFTER);
printCosts(BEFORE.id, costTable(BEFORE, { farms: [1, 100] }));
printCosts(AFTER.id, after);
for (const wallets of ["bought", "free"] as const) {
  printCosts(
    `${AFTER.id}, used wallets ${wallets}`,
    costTable(AFTER, { farms: [100], wallets }),
  );
}
printPersonas();
printPopulation();
if (Deno.args.includes("--write")) {
  const path = new URL("costs.json", import.meta.url);
  await Deno.writeTextFile(path, `${JSON.stringify(after, null, 2)}\n`);
}
