/** Growth curves: the cost of an operation at increasing data sizes. */
import type { CurvePoint, Measurement, Target } from "./measurement.ts";
import { type Plan, type Round, type Side, takeRound } from "./round.ts";
import { median } from "./statistics.ts";

/** The name and target of a curve. */
interface Growth {
  readonly name: string;
  /** What is counted on the x-axis. */
  readonly of: string;
  readonly unit: string;
  /** Largest ratio of the last point to the first; null without a target. */
  readonly most: number | null;
}

/** Returns a curve as a measurement: the last point compared with the first. */
export function curveOf(
  { name, of, unit, most }: Growth,
  points: readonly CurvePoint[],
): Measurement {
  const [first, last] = [points[0]!, points.at(-1)!];
  const [from, to] = [first.at, last.at].map((at) => at.toLocaleString("en"));
  const target: Target | null = most === null
    ? null
    : { of: "ratio", is: "<=", than: most };
  return {
    name: `${name}, ${from} to ${to} ${of}`,
    value: last.value,
    unit,
    peer: first.value,
    target,
    points,
  };
}

/** Loads the sides in alternating rounds and returns the CPU time per answer in microseconds. */
export async function cpuCurve(
  sides: ReadonlyMap<number, Side>,
  { rounds, ms }: Plan,
): Promise<CurvePoint[]> {
  const taken = new Map<number, Round[]>();
  // The first round of each side warms up the compiler.
  for (let turn = 0; turn <= rounds; turn++) {
    for (const [at, side] of sides) {
      const round = await takeRound(side, ms);
      if (turn > 0) taken.set(at, [...taken.get(at) ?? [], round]);
    }
  }
  return [...taken].map(([at, all]) => ({
    at,
    value: median(all.map(({ cpuUs }) => cpuUs)),
  }));
}
