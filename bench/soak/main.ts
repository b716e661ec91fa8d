/** The soak: `deno task soak [--minutes <n>]`. */
import { parseArgs } from "node:util";
import { meetsTarget } from "../measure/measurement.ts";
import { alignColumns, jsonOf, tableOf } from "../measure/report.ts";
import { measurementsOf } from "./measurements.ts";
import { watchMemory } from "./memory.ts";
import { soak } from "./run.ts";
import type { WorkloadReport } from "./tally.ts";

const RESULTS = new URL("../soak.json", import.meta.url);

/** After an hour all series that were stored at the start would become stale at once. */
const MAX_MINUTES = 50;

const HEADER = [
  "workload",
  "answers",
  "wrong",
  "p50 ms",
  "p99 ms",
  "max ms",
  "statuses",
];

const minutes = readMinutes();
print(`Running the soak for ${minutes} minutes`);
const result = await soak({ ms: minutes * 60_000, watch: watchMemory });
const measurements = measurementsOf(result);
const rows = [HEADER, ...result.workloads.map(rowOf)];
print(
  `\n${alignColumns(rows, { words: [0, 6] })}\n\n${tableOf(measurements)}\n`,
);
for (const line of [...result.problems, ...result.logged]) print(line);
await Deno.writeTextFile(RESULTS, jsonOf(measurements, { minutes, ...result }));
Deno.exit(
  measurements.every((measurement) => meetsTarget(measurement) !== false)
    ? 0
    : 1,
);

function readMinutes(): number {
  const options = { minutes: { type: "string", default: "20" } } as const;
  const { values } = parseArgs({ args: Deno.args, options });
  const minutes = Number(values.minutes);
  if (minutes > 0 && minutes <= MAX_MINUTES) return minutes;
  print(
    `Invalid --minutes "${values.minutes}": expected a number up to ${MAX_MINUTES}`,
  );
  return Deno.exit(2);
}

function rowOf(
  { workload, answers, wrong, p50Ms, p99Ms, maxMs, statuses }: WorkloadReport,
): string[] {
  const latencies = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1));
  const counts = Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`);
  return [
    workload,
    ...[answers, wrong].map((count) => count.toLocaleString("en")),
    ...latencies,
    counts.join(", "),
  ];
}

function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}
