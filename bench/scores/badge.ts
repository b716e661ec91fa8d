/** A repeated badge, against a bare handler of the same text. */
import { startService } from "../../tests/support/processes/service.ts";
import { compareWithBare } from "../chain_data/against_bare.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";

/** As browsers and the image proxies of code hosts ask. */
const VARIANTS = ["identity", "gzip"].map((encoding) => ({
  name: `badge ${encoding}`,
  path: "/api/tools/score-badge/0x52908400098527886e0f7030069857d2e4169ee7",
  headers: { "Accept-Encoding": encoding },
}));

/** CPU time that a badge may take, in microseconds. */
const MOST_US = 1_000;

/** Measures repeated badges; the time of one is held against a limit, too. */
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
      ? { ...measurement, target: { of: "value", is: "<", than: MOST_US } }
      : measurement
  );
}
