/** Memory of a process that has served every series of every chain. */
import { METRIC_NAMES } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { startService } from "../../tests/support/processes/service.ts";
import { askOnce, connect, getRequest } from "../measure/connection.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { memoryMb } from "../measure/process_usage.ts";

const CONNECTIONS = 4;

/** Expected 503 answers: one simulated chain lacks a metric, and the one derived from it. */
const EXPECTED_FAILURES = 2;

/** Measures memory after all answers, its peak, and its start. */
export async function measureMemory(
  { filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const { settings } = await filled();
  await using service = await startService(settings);
  const base = `${service.url}/api/chain-data`;
  const { body } = await askOnce(`${base}/chains`);
  const { chains }: { chains: { chainId: number }[] } = JSON.parse(
    new TextDecoder().decode(body),
  );
  const start = memoryMb(service.process.pid);
  const urls = chains.flatMap(({ chainId }) =>
    METRIC_NAMES.map((metric) =>
      `${base}/metrics?range=all&chainId=${chainId}&metric=${metric}`
    )
  );
  let refused = 0;
  // All connections share one iterator, so each request is sent once.
  const next = urls.values();
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    using connection = await connect(base);
    for (const url of next) {
      const { status, head } = await connection.ask(getRequest(url));
      if (status !== 200 && refused++ === EXPECTED_FAILURES) {
        throw new Error(`Cannot use ${url}: ${head}`);
      }
    }
  }));
  const end = memoryMb(service.process.pid);
  const name = `memory after ${urls.length} answers`;
  const target = { of: "value", is: "<", than: 300 } as const;
  const shared = { unit: "MB", peer: null };
  return [
    { ...shared, name, value: end.now, target },
    { ...shared, name: `${name}, at its peak`, value: end.peak, target },
    { ...shared, name: "memory before them", value: start.now, target: null },
  ];
}
