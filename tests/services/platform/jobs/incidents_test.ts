/** Incidents: opened by a failed run, continued by the next, ended by a success. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  type EndedRun,
  type Incident,
  incidentsAfter,
} from "../../../../services/platform/jobs/jobs_store.ts";

const run = (startedAt: number, error: string | null): EndedRun => ({
  job: "x",
  startedAt,
  endedAt: startedAt + 5,
  error,
});

const after = (...runs: readonly EndedRun[]) =>
  runs.reduce(incidentsAfter, [] as readonly Incident[]);

Deno.test("failed runs in a row are one incident, until a run succeeds", () => {
  const failed = after(run(10, "a"), run(20, "b"));
  assertEquals(failed, [
    { job: "x", from: 10, to: null, failedRuns: 2, error: "b" },
  ]);
  const ended = incidentsAfter(failed, run(30, null));
  assertEquals(ended, [{ ...failed[0]!, to: 35 }]);
  assertEquals(incidentsAfter(ended, run(40, "c")), [
    ...ended,
    { job: "x", from: 40, to: null, failedRuns: 1, error: "c" },
  ]);
});

Deno.test("a success without an open incident changes nothing", () => {
  const none: readonly Incident[] = [];
  assertStrictEquals(incidentsAfter(none, run(10, null)), none);
});

Deno.test("incidents are kept for 90 days, and 30 of a job at most", () => {
  const runs = Array.from({ length: 40 }, (_, nth) => [
    run(nth * 20, `${nth}`),
    run(nth * 20 + 10, null),
  ]).flat();
  const kept = after(...runs);
  assertEquals([kept.length, kept[0]!.error], [30, "10"]);
  const later = kept.at(-1)!.to! + 90 * DAY_MS;
  const last = {
    job: "x",
    from: later - 5,
    to: null,
    failedRuns: 1,
    error: "z",
  };
  assertEquals(incidentsAfter(kept, run(later - 6, "z")).length, 2);
  assertEquals(incidentsAfter(kept, run(later - 5, "z")), [last]);
});
