/** What a network is charged for a route is what the route costs. */
import { assertEquals } from "@std/assert";
import { median } from "../../bench/measure/statistics.ts";
import { costOf } from "../../routes/http/render_queue.ts";
import { startProgram } from "../support/processes/service.ts";

/** By which a row may differ whatever its factor: about what other work of the process adds. */
const SLACK_MS = 1;

/** Measurements after the first one, while it has wrong rows. */
const MAX_AGAIN = 2;

/** Measures in a process of its own: the tests of other files use CPU time in this one. */
async function measure(): Promise<[row: string, ms: number][]> {
  await using running = startProgram([
    "run",
    "--quiet",
    "--no-check",
    "--lock=tests/deno.lock",
    "--no-prompt",
    "-P=bench",
    "tests/support/measured_rows.ts",
  ]);
  const { code, output } = await running.finish();
  assertEquals(code, 0, output);
  return JSON.parse(output.slice(output.indexOf("[[")));
}

/** Returns the rows that one measurement finds more than a factor of two off. */
async function listWrong() {
  const measured = await measure();
  // How fast this machine is now.
  const speed = median(measured.map(([row, ms]) => ms / costOf(row).ms));
  return measured.map(([row, ms]) => ({
    row,
    charged: costOf(row).ms,
    measured: ms / speed,
  })).filter(({ charged, measured }) =>
    Math.abs(measured - charged) > SLACK_MS &&
    (measured > 2 * charged || measured < charged / 2)
  );
}

Deno.test("each row of ROUTE_COSTS is the CPU time of its route, within a factor of two", async () => {
  let wrong = await listWrong();
  // Other work of the machine changes caches and clocks; a wrong row stays wrong.
  for (let again = 0; again < MAX_AGAIN && wrong.length > 0; again++) {
    const rows = (await listWrong()).map(({ row }) => row);
    wrong = wrong.filter(({ row }) => rows.includes(row));
  }
  assertEquals(wrong, []);
});
