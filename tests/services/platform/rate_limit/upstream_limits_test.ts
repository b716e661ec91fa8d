/** The limits that upstreams publish, and what the service takes of them. */
import { assert, assertEquals } from "@std/assert";
import { readConfig } from "../../../../services/config.ts";
import { STORED_METRICS } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import type { Limit } from "../../../../services/platform/rate_limit/call_budget.ts";
import {
  limitsOf,
  metricsLimits,
} from "../../../../services/platform/rate_limit/upstream_limits.ts";

const MINUTE_MS = 60_000;

const { calls: CALLS } = readConfig({});
const METRICS_LIMITS = metricsLimits(CALLS.metrics);

const callsIn = (limits: readonly Limit[], perMs: number) =>
  limits.find((limit) => limit.perMs === perMs)!.calls;

Deno.test("readers and jobs together stay below 80 calls a minute and 12,000 a day to the Metrics API", () => {
  const both = (perMs: number) =>
    Object.values(METRICS_LIMITS)
      .reduce((sum, limits) => sum + callsIn(limits, perMs), 0);
  assert(both(MINUTE_MS) <= 80, String(both(MINUTE_MS)));
  assert(both(DAY_MS) <= 12_000, String(both(DAY_MS)));
});

Deno.test("jobs can sweep every metric of 200 chains within 55 minutes of each day, and readers have calls of their own", () => {
  const series = 200 * STORED_METRICS.length;
  assert(callsIn(METRICS_LIMITS.jobs, MINUTE_MS) * 55 >= series);
  assert(callsIn(METRICS_LIMITS.jobs, DAY_MS) >= 3 * series);
  assert(callsIn(METRICS_LIMITS.readers, MINUTE_MS) >= 20);
  assert(callsIn(METRICS_LIMITS.readers, DAY_MS) >= 1_000);
});

Deno.test("the explorer index gets what its plans allow: 2 calls a second and 10,000 a day without a key", () => {
  const limitsWith = (settings: Record<string, string>) =>
    limitsOf(readConfig(settings).indexes[0].calls);
  assertEquals(limitsWith({}), [
    { calls: 2, perMs: 1_000 },
    { calls: 10_000, perMs: DAY_MS },
  ]);
  assertEquals(limitsWith({ EXPLORER_API_KEY: "key" }), [
    { calls: 5, perMs: 1_000 },
    { calls: 100_000, perMs: DAY_MS },
  ]);
});

Deno.test("a public node gets no more than 240 calls a minute", () => {
  assertEquals(callsIn(limitsOf(CALLS.cChain), MINUTE_MS), 240);
});
