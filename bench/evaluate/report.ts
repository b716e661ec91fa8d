/** An evaluation as Markdown. */
import { TIER_IDS } from "../../services/model/score_terms_schema.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Estimate } from "./measures.ts";

/** Formats an evaluation. */
export function reportOf(evaluation: Evaluation): string {
  const { file, sha256, asOf, model, auc, quantiles } = evaluation;
  const aucs = (
    title: string,
    values: Evaluation["others"],
  ) =>
    table(
      [title, "AUC", "within strata"],
      Object.entries(values).map(([name, { all, within }]) => [
        name,
        three(all),
        three(within),
      ]),
    );
  return [
    `# ${model} on ${file}\n`,
    `SHA-256 ${sha256}. Scored as of ${asOf}.\n`,
    `Honest: ${counts(evaluation.honest)}. Fraudulent: ${
      counts(evaluation.fraudulent)
    }. Without an own transaction: ${counts(evaluation.unused)}.\n`,
    `AUC ${
      shown(auc.all)
    }; within strata of the year of last use and the number of own transactions ${
      shown(auc.within)
    }.\n`,
    table(
      ["list, against all of the other label", "AUC", "within strata"],
      Object.entries(evaluation.lists).map(([list, { all, within }]) => [
        list,
        shown(all),
        three(within),
      ]),
    ),
    table(
      [
        "year",
        "own transactions",
        "honest",
        "fraudulent",
        "AUC",
        "earlier",
        "difference",
      ],
      evaluation.strata.map((stratum) => [
        stratum.year,
        stratum.transactions,
        stratum.honest,
        stratum.fraudulent,
        three(stratum.auc),
        three(stratum.earlier),
        shown(stratum.difference),
      ]),
    ),
    aucs("beside it", evaluation.others),
    aucs("without", evaluation.without),
    aucs("alone", evaluation.alone),
    table(
      ["label", "own transactions", "wallets", ...TIER_IDS],
      Object.entries(evaluation.tiers).flatMap(([label, classes]) =>
        Object.entries(classes).map(([name, tiers]) => {
          const all = TIER_IDS.reduce((sum, tier) => sum + tiers[tier], 0);
          return [
            label,
            name,
            all,
            ...TIER_IDS.map((tier) => percent(tiers[tier] / all)),
          ];
        })
      ),
    ),
    table(
      [
        "from",
        "floor",
        "honest pass",
        "fraudulent pass",
        "honest of 10 or more",
        "fraudulent of 10 or more",
        "honest of those that pass, at 1 / 5 / 20 % fraud",
        "fraudulent of those that do not",
      ],
      TIER_IDS.map((tier) => {
        const gate = evaluation.gates[tier];
        const precisions = Object.values(gate.precision);
        return [
          tier,
          gate.floor,
          percent(gate.honest),
          percent(gate.fraudulent),
          percent(gate.honestOfTen),
          percent(gate.fraudulentOfTen),
          precisions.map(({ passing }) => percent(passing)).join(" / "),
          precisions.map(({ refused }) => percent(refused)).join(" / "),
        ];
      }),
    ),
    table(
      ["tier", "cost to fake in US dollars: 10 %", "50 %", "90 %"],
      TIER_IDS.filter((tier) => evaluation.costs[tier].length > 0)
        .map((tier) => [
          tier,
          ...evaluation.costs[tier].map((usd) => usd.toFixed(2)),
        ]),
    ),
    table(
      ["of honest wallets with ten or more transactions, below", "composite"],
      Object.entries(quantiles).map(([part, composite]) => [
        `${part} %`,
        composite.toFixed(1),
      ]),
    ),
  ].join("\n");
}

function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [head, head.map(() => "--"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function counts(values: Readonly<Record<string, number>>): string {
  return Object.entries(values).filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`).join(", ") || "none";
}

const three = (value: number) => value.toFixed(3);

const percent = (part: number) =>
  Number.isNaN(part) ? "" : (100 * part).toFixed(1);

function shown({ value, low, high }: Estimate): string {
  return `${three(value)} (${three(low)} to ${three(high)})`;
}
