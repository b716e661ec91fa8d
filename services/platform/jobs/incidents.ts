/** Incidents: times in which the runs of a job failed. */
import { DAY_MS } from "../days.ts";
import { HISTORY_DAYS } from "../observability/traffic_schema.ts";

/** A time in which the runs of a job failed; instants in epoch ms. */
export interface Incident {
  readonly job: string;
  /** Start of the first run that failed. */
  readonly from: number;
  /** End of the first run that succeeded again; null while it lasts. */
  readonly to: number | null;
  readonly failedRuns: number;
  /** Why the last of them failed. */
  readonly error: string;
}

/** A run that has ended. */
export interface EndedRun {
  readonly job: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why the run failed; null if it succeeded. */
  readonly error: string | null;
}

/** How long incidents are kept, and the maximum number for each job. */
const KEPT_MS = HISTORY_DAYS * DAY_MS;
const MAX_KEPT = 30;

/**
 * Returns the incidents of a job after a run, oldest first; the same array if
 * nothing changes. A failed run opens an incident or continues the open one; a
 * run that succeeds ends it.
 */
export function incidentsAfter(
  incidents: readonly Incident[],
  { job, startedAt, endedAt, error }: EndedRun,
): readonly Incident[] {
  const last = incidents.at(-1);
  const open = last?.to === null ? last : undefined;
  if (error === null && open === undefined) return incidents;
  const before = open === undefined ? incidents : incidents.slice(0, -1);
  const begun = open ?? { job, from: startedAt, failedRuns: 0 };
  const next: Incident = error === null
    ? { ...open!, to: endedAt }
    : { ...begun, to: null, failedRuns: begun.failedRuns + 1, error };
  return [...before, next]
    .filter(({ to }) => to === null || to > endedAt - KEPT_MS)
    .slice(-MAX_KEPT);
}
