/** Jobs that an operator starts, in addition to the scheduled ones. */
import { assert } from "@std/assert";
import type { JobName } from "../../services/platform/jobs/job_schedules_schema.ts";
import { startProgram } from "../../tests/support/processes/service.ts";
import type { Workload } from "./client.ts";
import { type Environment, PERMISSIONS } from "./environment.ts";

/** Jobs that finish within seconds. `refresh-series` would run for the whole soak. */
const JOBS: readonly JobName[] = [
  "record-scores",
  "score-waiting",
  "refresh-graph",
  "find-payments",
  "refresh-chains",
  "cross-check",
  "sample-blocks",
  "snapshot-validators",
];

/** Returns a workload that runs one job after the other, each in its own process. */
export function jobWorkload({ settings }: Environment): Workload {
  return {
    name: "manual jobs",
    clients: 1,
    pauseMs: 20_000,
    async run(client, { turn }) {
      const name = JOBS[turn % JOBS.length]!;
      await client.timed(async () => {
        const args = ["run", ...PERMISSIONS, "operator.ts", "job", name];
        await using running = startProgram(args, settings);
        const { code } = await running.process.status;
        assert(code === 0, `${name}: ${running.output()}`);
        return code;
      });
    },
  };
}
