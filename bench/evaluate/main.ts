/**
 * Evaluates the model on labelled addresses: `deno task evaluate labels.csv`, or
 * `--simulated` for farms and honest wallets that are simulated. See README.md.
 */
import { S4_2026_3 } from "../../services/model/s4_2026_3.ts";
import { randomFrom } from "../../tests/support/random.ts";
import { NOW } from "../attack/honest_life.ts";
import { evaluate } from "./evaluation.ts";
import { simulatedLabels } from "./farm.ts";
import { readLabels } from "./labelled.ts";
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
const evaluation = evaluate(labelled, S4_2026_3, { now, random });
// deno-lint-ignore no-console -- this program prints a report.
console.log(reportOf(evaluation));
if (!isSimulated) {
  await Deno.writeTextFile(
    `${source}.reliability.svg`,
    reliabilityPlot(evaluation.reliability),
  );
}
