/** Memory over time: resident memory of the process, and live heap. */
import type { RunningService } from "../../tests/support/processes/service.ts";
import { median } from "../measure/statistics.ts";
import { memoryMb } from "../measure/process_usage.ts";
import { pause } from "./client.ts";

/** Memory at an instant (epoch ms). */
export interface Sample {
  readonly at: number;
  readonly mb: number;
}

const EVERY_MS = 5_000;

/** Growth is given per ten minutes. */
const GROWTH_MS = 600_000;

/** Reads the memory of processes every few seconds until the end. */
export async function watchMemory(
  services: readonly RunningService[],
  end: AbortSignal,
): Promise<Sample[][]> {
  const samples = services.map((): Sample[] => []);
  while (!end.aborted) {
    for (const [nth, { process }] of services.entries()) {
      samples[nth]!.push({ at: Date.now(), mb: memoryMb(process.pid).now });
    }
    await pause(EVERY_MS, end);
  }
  return samples;
}

/** Parses the heap sizes that a service has printed. */
export function heapSamples({ output }: RunningService): Sample[] {
  return output().matchAll(/^heap (\d+) (\d+)$/gm)
    .map(([, at, bytes]) => ({ at: Number(at), mb: Number(bytes) / 2 ** 20 }))
    .toArray();
}

/** Drops the first third of the samples, in which caches fill. */
export function withoutWarmUp(samples: readonly Sample[]): Sample[] {
  return samples.slice(Math.ceil(samples.length / 3));
}

/**
 * Returns the growth in MB per ten minutes: the median of the slopes between all
 * pairs of samples (Theil–Sen estimator), which is robust against outliers.
 */
export function growthOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((first, nth) =>
    samples.slice(nth + 1).map((later) =>
      (later.mb - first.mb) / (later.at - first.at)
    )
  );
  return median(slopes) * GROWTH_MS;
}
