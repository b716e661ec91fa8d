/** Memory over time: of the whole process as the system counts it, and of the heap that is in use. */
import type { RunningService } from "../../tests/support/processes/service.ts";
import { median } from "../measure/statistics.ts";
import { memoryMb } from "../measure/process_usage.ts";
import { pause } from "./client.ts";

/** What was held at an instant, in epoch ms. */
export interface Sample {
  readonly at: number;
  readonly mb: number;
}

const EVERY_MS = 5_000;

/** Ten minutes: what growth is told for. */
const STRETCH_MS = 600_000;

/** Reads what processes hold every few seconds until it is over. */
export async function watchMemory(
  services: readonly RunningService[],
  over: AbortSignal,
): Promise<Sample[][]> {
  const samples = services.map((): Sample[] => []);
  while (!over.aborted) {
    for (const [nth, { process }] of services.entries()) {
      samples[nth]!.push({ at: Date.now(), mb: memoryMb(process.pid).now });
    }
    await pause(EVERY_MS, over);
  }
  return samples;
}

/** Reads what a service has said of its heap. */
export function heapSamples({ output }: RunningService): Sample[] {
  return output().matchAll(/^heap (\d+) (\d+)$/gm)
    .map(([, at, bytes]) => ({ at: Number(at), mb: Number(bytes) / 2 ** 20 }))
    .toArray();
}

/** Returns the samples without those of the first third, in which caches fill. */
export function withoutWarmUp(samples: readonly Sample[]): Sample[] {
  return samples.slice(Math.ceil(samples.length / 3));
}

/**
 * Returns how many MB more are held after ten minutes: the median of the slopes
 * between all pairs of samples (Theil and Sen), which a few high ones do not move.
 */
export function growthOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((first, nth) =>
    samples.slice(nth + 1).map((later) =>
      (later.mb - first.mb) / (later.at - first.at)
    )
  );
  return median(slopes) * STRETCH_MS;
}
