/** Metrics of a process over the last hour, in bounded memory. */
import { assert, assertEquals } from "@std/assert";
import { ProcessMetricsAnswer } from "../../../../services/platform/observability/process_metrics_schema.ts";
import {
  bucketOf,
  BUCKETS,
  hourlyCounts,
  openProcessMetrics,
  quantileMs,
} from "../../../../services/platform/observability/process_metrics.ts";
import { SILENT } from "../../../../services/platform/observability/telemetry.ts";
import { fc } from "../../../support/properties.ts";

function newProcessMetrics() {
  const clock = { ms: Date.parse("2026-11-21T08:00:00Z") };
  const processMetrics = openProcessMetrics(
    { now: () => new Date(clock.ms) },
    SILENT,
  );
  const read = () => ProcessMetricsAnswer.parse(processMetrics.read());
  return { clock, processMetrics, read };
}

Deno.test("openProcessMetrics() counts and times by name, for one hour", () => {
  const { clock, processMetrics, read } = newProcessMetrics();
  const idle = read();
  for (const ms of [1, 2, 3, 800]) {
    processMetrics.calls.add("explorer", ms, { failed: ms === 800 });
  }
  processMetrics.requests.add("scoring", 5, { failed: false });
  processMetrics.kv.add({ reads: 1, keysRead: 10 });
  clock.ms += 59 * 60_000;
  processMetrics.kv.add({ commits: 1, mutations: 2, conflicts: 1 });
  processMetrics.events.add({ "job.failed": 1 });
  const { upstreams, latency, database, log, telemetry } = read();
  assertEquals(upstreams.find(({ upstream }) => upstream === "explorer"), {
    upstream: "explorer",
    calls: 4,
    errors: 1,
    p50Ms: 2,
    p99Ms: 800,
  });
  assertEquals(latency.find(({ family }) => family === "scoring"), {
    family: "scoring",
    requests: 1,
    p50Ms: 5,
    p99Ms: 5,
  });
  assertEquals(database, {
    reads: 1,
    keysRead: 10,
    commits: 1,
    mutations: 2,
    conflicts: 1,
  });
  assertEquals(log.filter(({ count }) => count > 0), [
    { event: "job.failed", level: "error", count: 1 },
  ]);
  assertEquals(telemetry, { exported: false });
  clock.ms += 60_000;
  assertEquals(read().database.reads, 0, "its minute has left the hour");
  assertEquals(read().database.commits, 1);
  clock.ms += 60 * 60_000;
  assertEquals(read(), idle);
});

const count = (durations: readonly number[]) => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const ms of durations) counts[bucketOf(ms)]!++;
  return counts;
};

Deno.test("bucketOf() returns a bucket for every number, also negative and NaN", () => {
  const odd: [ms: number, bucket: number][] = [
    [0, 0],
    [-5, 0],
    [0.1, 0],
    [0.11, 1],
    [80_000, BUCKETS - 1],
    [1e9, BUCKETS - 1],
    [NaN, BUCKETS - 1],
  ];
  for (const [ms, bucket] of odd) assertEquals(bucketOf(ms), bucket, `${ms}`);
});

Deno.test("quantileMs() is never below the exact quantile, and at most 28 % above it", () => {
  const duration = fc.double({ min: 0.1, max: 80_000, noNaN: true });
  fc.assert(fc.property(
    fc.array(duration, { minLength: 1 }),
    fc.constantFrom(0.5, 0.99, 1),
    (durations, share) => {
      const found = quantileMs(count(durations), share)!;
      const sorted = durations.toSorted((a, b) => a - b);
      const truth = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
      assert(
        found >= truth && found <= truth * 1.28,
        `${found} ${truth}`,
      );
    },
  ));
});

Deno.test("quantileMs() is null without durations", () => {
  assertEquals(quantileMs(count([]), 0.5), null);
});

// Counters and durations of the last hour, minute by minute.

const MINUTE = 60_000;
const START = 1_000 * MINUTE + 30_000;

function clock() {
  let at = START;
  return { now: () => new Date(at), set: (ms: number) => at = START + ms };
}

Deno.test("hourlyCounts() sums the last sixty minutes, the current one included", () => {
  const { now, set } = clock();
  const hour = hourlyCounts({ now }, 2);
  assertEquals(hour.sum(), { since: START, counts: [0, 0] });
  hour.current()[0]! += 1;
  set(MINUTE);
  hour.current()[0]! += 2;
  hour.current()[1]! += 4;
  assertEquals(hour.sum(), { since: START, counts: [3, 4] });
  set(59 * MINUTE + 29_999);
  assertEquals(hour.sum(), { since: START, counts: [3, 4] });
  set(59 * MINUTE + 30_000);
  assertEquals(hour.sum(), { since: 1_001 * MINUTE, counts: [2, 4] });
  hour.current()[0]! += 8;
  assertEquals(hour.sum().counts, [10, 4]);
  set(60 * MINUTE + 30_000);
  assertEquals(hour.sum(), { since: 1_002 * MINUTE, counts: [8, 0] });
  set(500 * MINUTE);
  assertEquals(hour.sum().counts, [0, 0]);
  hour.current()[1]! += 1;
  set(499 * MINUTE);
  assertEquals(hour.sum().counts, [0, 0], "a clock that was set back");
});
