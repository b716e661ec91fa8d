/** Measurements of a soak: no wrong answer, exact units, constant memory. */
import type { Measurement } from "../measure/measurement.ts";
import { growthOf, type Sample, withoutWarmUp } from "./memory.ts";
import type { Soak } from "./run.ts";
import { median } from "../measure/statistics.ts";

/** Shortest time in which growth can be distinguished from noise. */
const MIN_MS = 180_000;

/**
 * Largest growth in MB per ten minutes that is not a leak. The heap after a garbage
 * collection varies by 1 MB with the open requests, and grows by as much while caches
 * fill and code is optimised. 2 MB are 13 bytes per answer. The memory of the process
 * varies by tens of MB because the allocator keeps free memory.
 */
const MAX_HEAP_MB = 2;
const MAX_PROCESS_MB = 10;

const NONE = { of: "value", is: "=", than: 0 } as const;

/** Returns the measurements of a soak. */
export function measurementsOf(
  { workloads, logged, units, miscounted, memory }: Soak,
): Measurement[] {
  const total = (of: "answers" | "wrong") =>
    workloads.reduce((sum, workload) => sum + workload[of], 0);
  const none = { unit: "", peer: null, target: NONE };
  return [
    {
      name: "answers",
      value: total("answers"),
      unit: "",
      peer: null,
      target: null,
    },
    { name: "wrong answers", value: total("wrong"), ...none },
    { name: "errors in the logs", value: logged.length, ...none },
    {
      name: "units counted, compared with answers",
      value: units.counted,
      unit: "",
      peer: units.answered,
      target: { of: "ratio", is: "=", than: 1 },
    },
    {
      name: "wallets whose units differ",
      value: miscounted.length,
      ...none,
    },
    ...memory.flatMap(({ process, heap }, nth) => {
      const name = `service ${nth + 1}`;
      return [
        ...growth(`${name}, memory`, process, MAX_PROCESS_MB),
        ...growth(`${name}, heap in use`, heap, MAX_HEAP_MB),
      ];
    }),
  ];
}

/** Returns the median memory after the first third, and the growth in ten minutes. */
function growth(
  name: string,
  samples: readonly Sample[],
  most: number,
): Measurement[] {
  const late = withoutWarmUp(samples);
  const [first, last] = [late[0], late.at(-1)];
  if (first === undefined || last === undefined) return [];
  const current: Measurement = {
    name,
    value: median(late.map(({ mb }) => mb)),
    unit: "MB",
    peer: null,
    target: null,
  };
  if (last.at - first.at < MIN_MS) return [current];
  return [
    current,
    {
      name: `${name}, growth in 10 min`,
      value: growthOf(late),
      unit: "MB",
      peer: null,
      target: { of: "value", is: "<", than: most },
    },
  ];
}
