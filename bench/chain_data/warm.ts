/** Warm answers with the whole C-Chain history, compared with a bare handler. */
import { startService } from "../../tests/support/processes/service.ts";
import { compareWithBare } from "./against_bare.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";

const HISTORY = "/api/chain-data/metrics?range=all";

/** The measured answers. */
const VARIANTS = ["json", "csv"].flatMap((format) =>
  ["identity", "gzip"].map((encoding) => ({
    name: `warm ${format} ${encoding}`,
    path: `${HISTORY}&format=${format}`,
    headers: { "Accept-Encoding": encoding },
  }))
);

/** Measures repeated answers in both formats and both encodings. */
export async function measureWarm(
  { short, filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const { settings } = await filled();
  await using service = await startService(settings);
  return await compareWithBare(service, VARIANTS, { short, ratio: 0.8 });
}
