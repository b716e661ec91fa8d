/** A repeated badge, compared with a bare handler. */
import { startService } from "../../tests/support/processes/service.ts";
import { compareWithBare } from "../chain_data/against_bare.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";

/** The encodings that browsers and image proxies request. */
const VARIANTS = ["identity", "gzip"].map((encoding) => ({
  name: `badge ${encoding}`,
  path: "/api/tools/score-badge/0x52908400098527886e0f7030069857d2e4169ee7",
  headers: { "Accept-Encoding": encoding },
}));

/** Maximum CPU time of a badge in microseconds. */
const MAX_US = 1_000;

/** Measures repeated badges. The CPU time of a badge has a limit, too. */
export async function measureBadge(
  { short, filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const { settings } = await filled();
  await using service = await startService(settings);
  const measurements = await compareWithBare(service, VARIANTS, {
    short,
    ratio: 0.7,
  });
  return measurements.map((measurement) =>
    measurement.unit === "us"
      ? { ...measurement, target: { of: "value", is: "<", than: MAX_US } }
      : measurement
  );
}
