/** Jobs by hand, beside those that the services run by their clock. */
import { assert } from "@std/assert";
import type { JobName } from "../../services/platform/jobs/job_schedules_schema.ts";
import { startProgram } from "../../tests/support/processes/service.ts";
import type { Workload } from "./client.ts";
import { type Environment, PERMISSIONS } from "./environment.ts";

/** Jobs that come to an end within seconds here; the series' one is never done. */
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

/** An operator who runs one job after the other, in a process of its own. */
export function jobWorkload({ settings }: Environment): Workload {
  return {
    name: "jobs by hand",
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
