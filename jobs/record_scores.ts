/** The job that records daily scores of recently read addresses. */
import type { ScoresDeps } from "../services/scores/deps.ts";
import { dayAt } from "../services/platform/days.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { recordScore } from "../services/scores/scores.ts";

/** An address gets points for this many days after its last read. */
const READ_WITHIN_DAYS = 30;

/** Addresses per run, those that could not be scored included. The next run continues after them. */
const MAX_ADDRESSES = 5_000;

/** Scores recently read addresses without a point of today, from stored signals. */
export async function recordScores(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  const { scores } = deps.store;
  const today = dayAt(deps.now().getTime());
  let last: string | null = null;
  let [tried, recorded] = [0, 0];
  try {
    for await (const { address, points, readAt } of scores.list()) {
      const isDue = today - dayAt(readAt) <= READ_WITHIN_DAYS &&
        points.at(-1)?.day !== today;
      if (!isDue) continue;
      if (tried === MAX_ADDRESSES || !await proceed()) break;
      tried++;
      last = address;
      if (await recordScore(deps, address)) recorded++;
    }
  } finally {
    // Also after an error, so that one address cannot hold up the others.
    if (last !== null) await scores.putCursor(last);
  }
  return `${recorded} scores recorded`;
}
