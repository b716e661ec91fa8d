/** The job that keeps the score history of addresses that somebody reads. */
import type { ScoresDeps } from "../services/scores/deps.ts";
import { dayAt } from "../services/platform/days.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { recordScore } from "../services/scores/scores.ts";

/** Days after the last one on which it was read that an address still gets points. */
const READ_WITHIN_DAYS = 30;

/** Addresses a run scores; those that have today's point are passed over, so the next goes on. */
const MOST_ADDRESSES = 5_000;

/** Scores, from stored signals, the addresses read lately that have no point of today. */
export async function recordScores(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  const today = dayAt(deps.now().getTime());
  let recorded = 0;
  for await (const { address, points, readAt } of deps.store.scores.list()) {
    const isDue = today - dayAt(readAt) <= READ_WITHIN_DAYS &&
      points.at(-1)?.day !== today;
    if (!isDue) continue;
    if (recorded === MOST_ADDRESSES || !await proceed()) break;
    if (await recordScore(deps, address)) recorded++;
  }
  return `${recorded} scores recorded`;
}
