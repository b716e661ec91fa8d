/** Cold answers: stored in the database, but not cached in the process. */
import { METRIC_NAMES } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { startService } from "../../tests/support/processes/service.ts";
import { connect, getRequest } from "../measure/connection.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { median } from "../measure/statistics.ts";

/**
 * Measures the first answer of every metric in fresh processes. Each process starts
 * with another metric, because its first answer includes compilation.
 */
export async function measureCold(
  { short, filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const { settings } = await filled();
  const processes = short ? 3 : 7;
  const firstMs: number[] = [];
  const laterMs = new Map<string, number[]>();
  for (let turn = 0; turn < processes; turn++) {
    await using service = await startService(settings);
    using connection = await connect(service.url);
    const metrics = [
      ...METRIC_NAMES.slice(turn),
      ...METRIC_NAMES.slice(0, turn),
    ];
    for (const [index, metric] of metrics.entries()) {
      const path = `/api/chain-data/metrics?range=all&metric=${metric}`;
      const startedAt = performance.now();
      const { status, head } = await connection.ask(
        getRequest(service.url + path),
      );
      const ms = performance.now() - startedAt;
      if (status !== 200) throw new Error(`Cannot use ${path}: ${head}`);
      if (index === 0) firstMs.push(ms);
      else laterMs.set(metric, [...laterMs.get(metric) ?? [], ms]);
    }
  }
  const medians = [...laterMs.values()].map(median);
  const target = { of: "value", is: "<", than: 15 } as const;
  const shared = { unit: "ms", peer: null };
  return [
    {
      ...shared,
      name: "cold, median of the metrics",
      value: median(medians),
      target,
    },
    {
      ...shared,
      name: "cold, slowest metric",
      value: Math.max(...medians),
      target,
    },
    {
      ...shared,
      name: "cold, very first answer of a process",
      value: median(firstMs),
      target: null,
    },
  ];
}
