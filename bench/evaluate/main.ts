/**
 * Evaluates the model on labelled wallets: `deno task evaluate wallets.jsonl.gz`, or a
 * CSV file of one's own. See README.md.
 */
import { parseArgs } from "node:util";
import { randomFrom } from "../../tests/support/random.ts";
import { evaluate } from "./evaluation.ts";
import { CURRENT, EARLIER, RULES } from "./judges.ts";
import { readLabelled, readLabels } from "./labelled.ts";
import { reportOf } from "./report.ts";

const USAGE =
  "Usage: deno task evaluate <wallets.jsonl.gz | labels.csv> [--as-of 2026-11-22] [--json]";

const { values, positionals: [path] } = parseArgs({
  allowPositionals: true,
  options: { "as-of": { type: "string" }, json: { type: "boolean" } },
});
const asOf = values["as-of"] === undefined ? null : Date.parse(values["as-of"]);
const { log: print, error: warn } = console;
if (path === undefined || Number.isNaN(asOf)) {
  print(USAGE);
  Deno.exit(2);
}
const file = path.endsWith(".csv")
  ? await readOwn(path)
  : await Deno.readFile(path);
const evaluation = evaluate(path.split("/").at(-1)!, await readLabelled(file), {
  model: CURRENT,
  others: [...EARLIER, ...RULES],
  asOf,
  random: randomFrom(1),
});
print(
  values.json ? JSON.stringify(evaluation, null, 2) : reportOf(evaluation),
);

/** Reads the wallets of a CSV file through the service, which is loaded for that alone. */
async function readOwn(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { readWallets } = await import("./read_wallets.ts");
  const labels = readLabels(await Deno.readTextFile(path));
  let leftOut = 0;
  const file = await readWallets(labels, path, (address, reason) => {
    leftOut++;
    warn(`${address} is left out: ${reason}`);
  });
  if (leftOut > 0) {
    warn(`${leftOut} of ${labels.length} are left out; run again to read them`);
  }
  return file;
}
