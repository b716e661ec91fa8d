/** Metrics of a process over the last hour, in bounded memory. */
import { assertEquals } from "@std/assert";
import { ProcessMetricsAnswer } from "../../../../services/platform/observability/process_metrics_schema.ts";
import { openProcessMetrics } from "../../../../services/platform/observability/process_metrics.ts";
import { SILENT } from "../../../../services/platform/observability/telemetry.ts";

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
