/** Which tests a mutant is tried against, and in which order. */
import type { TestCoverage } from "./coverage_map.ts";

/** Measured time of the tests that run together, and of those that `--near` runs. */
const STAGE_MS = 20_000;
const NEAR_MS = 60_000;

interface Place {
  readonly path: string;
  /** Digest of the text of the file. */
  readonly source: string;
  readonly line: number;
}

/**
 * Whether the test executes the line. If the file changed after the measurement, every
 * line counts. If it was moved or added, none does.
 */
function executes(coverage: TestCoverage, place: Place): boolean {
  const executed = coverage.executed[place.path];
  if (!executed) return false;
  return executed.source !== place.source ||
    executed.lines.some(([first, last]) =>
      first <= place.line && place.line <= last
    );
}

/** 0 for the tests of the file, 1 for those of its folder, else 2. */
function distance(test: string, path: string): number {
  if (test.startsWith(`${path.replace(/\.ts$/, "")}_`)) return 0;
  return test.startsWith(path.slice(0, path.lastIndexOf("/") + 1)) ? 1 : 2;
}

/**
 * Returns the tests that execute a place, in stages: those of the file, of its
 * folder, and then those that execute most of the file, as they are likeliest
 * to notice. `isNear` leaves out the tests after the first minute.
 */
export function stagesOf(
  place: Place,
  coverage: readonly TestCoverage[],
  isNear = false,
): string[][] {
  const sizeOf = ({ executed }: TestCoverage) =>
    (executed[place.path]?.lines ?? [])
      .reduce((sum, [first, last]) => sum + Math.min(last, 300) - first, 0);
  const reaching = coverage
    .filter((each) => each.passed && executes(each, place))
    .map((each) => ({
      ...each,
      away: distance(each.test, place.path),
      size: sizeOf(each),
    }))
    .sort((one, other) =>
      one.away - other.away || other.size - one.size ||
      one.milliseconds - other.milliseconds
    );
  const stages: string[][] = [];
  let stageMs = Infinity;
  let totalMs = 0;
  let away = -1;
  for (const each of reaching) {
    totalMs += each.milliseconds;
    if (isNear && totalMs > NEAR_MS && stages.length > 0) break;
    if (each.away !== away || stageMs + each.milliseconds > STAGE_MS) {
      stages.push([]);
      stageMs = 0;
    }
    stages.at(-1)!.push(each.test);
    stageMs += each.milliseconds;
    away = each.away;
  }
  return stages;
}
