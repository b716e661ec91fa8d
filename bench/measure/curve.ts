/** Growth curves: what something costs where there is more and more of something else. */
import type { CurvePoint, Measurement, Target } from "./measurement.ts";
import { type Plan, type Round, type Side, takeRound } from "./round.ts";
import { median } from "./statistics.ts";

/** What grows, and what is target of the last point against the first. */
export interface Growth {
  readonly name: string;
  /** Of what there is more and more. */
  readonly of: string;
  readonly unit: string;
  /** The most that the last point may be of the first; null where nothing is promised. */
  readonly most: number | null;
}

/** Returns a curve as a measurement: its last point against its first. */
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

/** Puts load on sides in turns, and returns the CPU time of an answer of each, in microseconds. */
export async function cpuCurve(
  sides: ReadonlyMap<number, Side>,
  { rounds, ms }: Plan,
): Promise<CurvePoint[]> {
  const taken = new Map<number, Round[]>();
  // The first round of each side is for its compiler.
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
