/** What is target of a soak: no wrong answer, exact counts, flat memory. */
import type { Measurement } from "../measure/measurement.ts";
import { growthOf, type Sample, withoutWarmUp } from "./memory.ts";
import type { Soak } from "./run.ts";
import { median } from "../measure/statistics.ts";

/** In less, growth cannot be told from noise. */
const LEAST_MS = 180_000;

/**
 * Growth that is no leak, in MB in ten minutes. What the heap holds after a collection
 * goes up and down by 1 MB with what is under way, and up by as much with caches that
 * are still short of their bounds and code that is optimised late; 2 MB are 13 bytes an
 * answer. What the process holds goes up and down by tens of MB with what the system's
 * allocator keeps for later.
 */
const MOST_HEAP_MB = 2;
const MOST_PROCESS_MB = 10;

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
      name: "units counted, against those answered",
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
        ...growth(`${name}, memory`, process, MOST_PROCESS_MB),
        ...growth(`${name}, heap in use`, heap, MOST_HEAP_MB),
      ];
    }),
  ];
}

/** Memory behind the first third, and by how much it grows in ten minutes. */
function growth(
  name: string,
  samples: readonly Sample[],
  most: number,
): Measurement[] {
  const late = withoutWarmUp(samples);
  const [first, last] = [late[0], late.at(-1)];
  if (first === undefined || last === undefined) return [];
  const held: Measurement = {
    name,
    value: median(late.map(({ mb }) => mb)),
    unit: "MB",
    peer: null,
    target: null,
  };
  if (last.at - first.at < LEAST_MS) return [held];
  return [
    held,
    {
      name: `${name}, growth in 10 min`,
      value: growthOf(late),
      unit: "MB",
      peer: null,
      target: { of: "value", is: "<", than: most },
    },
  ];
}
