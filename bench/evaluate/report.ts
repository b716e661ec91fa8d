/** An evaluation as text, and its reliability plot as SVG. */
import { TIER_IDS } from "../../services/model/score_terms_schema.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Estimate, ReliabilityBin } from "./measures.ts";

/** Formats an evaluation as Markdown. */
export function reportOf(
  {
    model,
    auc,
    precision,
    withoutList,
    withoutDimension,
    withoutSignal,
    brier,
    tiers,
  }: Evaluation,
): string {
  const left = (title: string, values: Readonly<Record<string, number>>) => [
    `\n| without ${title} | AUC |\n|--|--:|`,
    ...Object.entries(values).map(([name, value]) =>
      `| ${name} | ${value.toFixed(3)} |`
    ),
  ];
  return [
    `# ${model}\n`,
    `AUC ${shown(auc)}. Brier score of the confidence ${brier.toFixed(3)}.\n`,
    "| from tier | share of humans |\n|--|--:|",
    ...TIER_IDS.map((tier) => `| ${tier} | ${shown(precision[tier])} |`),
    ...left("list", withoutList),
    ...left("dimension", withoutDimension),
    ...left("signal", withoutSignal),
    `\n| list | ${TIER_IDS.join(" | ")} |`,
    `|--|${TIER_IDS.map(() => "--:").join("|")}|`,
    ...Object.entries(tiers).map(([list, counts]) =>
      `| ${list} | ${TIER_IDS.map((tier) => counts[tier]).join(" | ")} |`
    ),
  ].join("\n");
}

function shown({ value, low, high }: Estimate): string {
  if (Number.isNaN(value)) return "none";
  return `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

/** Side of the plot in pixels. */
const SIDE = 320;

/** Draws how often a confidence was right: the diagonal is perfect. */
export function reliabilityPlot(bins: readonly ReliabilityBin[]): string {
  const most = Math.max(...bins.map(({ count }) => count));
  const dots = bins.map(({ probability, frequency, count }) => {
    const x = (SIDE * probability).toFixed(1);
    const y = (SIDE * (1 - frequency)).toFixed(1);
    const radius = (3 + 9 * Math.sqrt(count / most)).toFixed(1);
    return `<circle cx="${x}" cy="${y}" r="${radius}"><title>${count}</title></circle>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-30 -10 ${
    SIDE + 50
  } ${SIDE + 40}" font-family="sans-serif" font-size="11">` +
    `<rect width="${SIDE}" height="${SIDE}" fill="none" stroke="#888"/>` +
    `<line x1="0" y1="${SIDE}" x2="${SIDE}" y2="0" stroke="#888" stroke-dasharray="4"/>` +
    `<g fill="#c33" fill-opacity="0.7">${dots.join("")}</g>` +
    `<text x="${SIDE / 2}" y="${
      SIDE + 20
    }" text-anchor="middle">confidence</text>` +
    `<text x="-10" y="${
      SIDE / 2
    }" text-anchor="middle" transform="rotate(-90 -10 ${
      SIDE / 2
    })">share that was right</text></svg>\n`;
}
