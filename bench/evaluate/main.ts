/**
 * Evaluates the model on labelled addresses: `deno task evaluate labels.csv`, or
 * `--simulated` for farms and honest wallets that are simulated. See README.md.
 */
import { scoreOf } from "../../services/model/model.ts";
import { S4_2026_1 } from "../../services/model/s4_2026_1.ts";
import { S4_2026_2 } from "../../services/model/s4_2026_2.ts";
import { randomFrom } from "../../tests/support/random.ts";
import { NOW } from "../attack/honest_life.ts";
import { driftOf, evaluate } from "./evaluation.ts";
import { simulatedLabels } from "./farm.ts";
import { readLabels } from "./labelled.ts";
import { aucOf } from "./measures.ts";
import { readLabelled } from "./read_signals.ts";
import { reliabilityPlot, reportOf } from "./report.ts";

const USAGE = "Usage: deno task evaluate <labels.csv> | --simulated";

const [source] = Deno.args;
if (source === undefined) {
  // deno-lint-ignore no-console -- this program prints a report.
  console.log(USAGE);
  Deno.exit(2);
}
const isSimulated = source === "--simulated";
const labelled = isSimulated ? simulatedLabels() : await readLabelled(
  readLabels(await Deno.readTextFile(source)),
  `${source}.signals.jsonl`,
);
const now = isSimulated ? NOW : Date.now();
const random = randomFrom(1);
const evaluation = evaluate(labelled, S4_2026_2, { now, random });
const auc = aucOf(labelled.map(({ isHuman, signals }) => ({
  isHuman,
  score: scoreOf(signals, now, S4_2026_1).s4.composite,
})));
const drift = driftOf(labelled, [S4_2026_1, S4_2026_2], now);
// deno-lint-ignore no-console -- this program prints a report.
console.log(reportOf(evaluation, { id: S4_2026_1.id, auc, drift }));
if (!isSimulated) {
  await Deno.writeTextFile(
    `${source}.reliability.svg`,
    reliabilityPlot(evaluation.reliability),
  );
}
