/** The job that records daily scores of recently read addresses. */
import { recordScore, type ScoresDeps } from "../services/scores/scores.ts";
import { dayAt } from "../services/platform/days.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";

/** An address gets points for this many days after its last read. */
const READ_WITHIN_DAYS = 30;

/** Addresses that are scored at once: most of their time is that of the database. */
const AT_ONCE = 8;

/** Lists recently read addresses without a point of today, after the last one that was tried. */
async function* listDue({ now, store }: Pick<ScoresDeps, "now" | "store">) {
  const today = dayAt(now().getTime());
  for await (const { address, points, readAt } of store.scores.list()) {
    const isDue = today - dayAt(readAt) <= READ_WITHIN_DAYS &&
      points.at(-1)?.day !== today;
    if (isDue) yield address;
  }
}

/** Returns the outcome if no address is due; else null. */
export async function findIdleScores(
  deps: Pick<ScoresDeps, "now" | "store">,
): Promise<string | null> {
  for await (const _ of listDue(deps)) return null;
  return "0 scores recorded";
}

/**
 * Scores recently read addresses without a point of today, from stored signals, as
 * many as the time of a run allows. The outcome counts those that are left; the next
 * run continues after the last one that was tried.
 */
export async function recordScores(
  deps: ScoresDeps,
  { proceed, leave }: RunContext,
): Promise<string> {
  const { scores } = deps.store;
  let last: string | null = null;
  let [recorded, left] = [0, 0];
  let due: string[] = [];

  /** Records the due scores. Throws the first error after all were tried. */
  async function recordDue(): Promise<void> {
    last = due.at(-1) ?? last;
    const tried = await Promise.allSettled(
      due.map((address) => recordScore(deps, address)),
    );
    due = [];
    for (const result of tried) {
      if (result.status === "rejected") throw result.reason;
      if (result.value) recorded++;
    }
  }

  try {
    for await (const address of listDue(deps)) {
      // The others are only counted.
      if (left > 0 || !await proceed()) {
        left++;
        continue;
      }
      due.push(address);
      if (due.length === AT_ONCE) await recordDue();
    }
    await recordDue();
  } finally {
    // Also after an error, so that one address cannot hold up the others.
    if (last !== null) await scores.putCursor(last);
  }
  leave?.(left);
  return `${recorded} scores recorded` +
    (left > 0 ? `, ${left} due are left for the next run` : "");
}
