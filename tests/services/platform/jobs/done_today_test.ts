/** Whether the one run of a day is done. */
import { assertEquals } from "@std/assert";
import { isDoneToday } from "../../../../services/platform/jobs/job_run.ts";

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

Deno.test("isDoneToday() is true after a run that began today, ended and succeeded", () => {
  const now = at("21T09:20");
  const run = (startedAt: number, endedAt: number | null, error?: string) => ({
    startedAt,
    endedAt,
    error: error ?? null,
  });
  const began = at("21T00:00");
  assertEquals(isDoneToday(undefined, now), false);
  assertEquals(isDoneToday(run(began, began + 1), now), true);
  assertEquals(isDoneToday(run(began, null), now), false, "runs, or was lost");
  assertEquals(isDoneToday(run(began, began + 1, "no"), now), false);
  assertEquals(isDoneToday(run(began - 1, began + 1), now), false, "yesterday");
});
