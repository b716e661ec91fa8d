/** The job that scores the addresses on the waiting list, refreshes those that are read often ahead of their expiry, reads proofs of a unique human, and settles units. */
import type { ScoresDeps } from "../services/scores/scores.ts";
import { Fault, isPause, isUsedUp } from "../services/platform/fault.ts";
import { readHumanProofs } from "../services/profiles/human_proofs.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { scoreWithinBudget } from "../services/scores/public_scores.ts";
import { DAY_MS, MINUTE_MS } from "../services/platform/days.ts";
import { REFRESH } from "../services/platform/rate_limit/call_budget.ts";
import { isReadOften } from "../services/scores/score_history.ts";
import {
  checkSignals,
  readSignals,
} from "../services/scores/signals/address_signals.ts";
import { dayEndOf } from "../services/scores/signals/signal_freshness.ts";

/** Consecutive failures after which the run stops. */
const MAX_FAILURES = 3;

/** Returns the outcome if no address waits for its score, and none for its proofs, and no units wait to be settled. */
export async function findIdleWaiting(
  deps: ScoresDeps,
): Promise<string | null> {
  const { store, upstream } = deps;
  if (await store.usage.isUnsettled()) return null;
  const { length } = await store.waitingScores.list();
  if (length > 0) return null;
  if (upstream.proofChains.length > 0) {
    for await (const _ of store.humanProofs.listQueued()) return null;
  }
  if (await isRefreshDue(deps)) return null;
  return "no address waits";
}

/**
 * Settles the units of commits whose outcome was unknown, scores waiting addresses,
 * then asks other chains about the humans behind scored ones, also if scoring fails,
 * and refreshes addresses that are read often.
 */
export async function scoreWaiting(
  deps: ScoresDeps,
  context: RunContext,
): Promise<string> {
  const settled = await deps.store.usage.settle();
  return [
    await scoreAndProve(deps, context),
    await refreshOften(deps, context),
    settled === 0 ? "" : `${settled} commits settled`,
  ].filter((words) => words !== "").join(", ");
}

async function scoreAndProve(
  deps: ScoresDeps,
  context: RunContext,
): Promise<string> {
  if (deps.upstream.proofChains.length === 0) {
    return await scoreAll(deps, context);
  }
  const scoring = await Promise.allSettled([scoreAll(deps, context)]);
  const proofs = await readHumanProofs(deps, context);
  const [scored] = scoring;
  if (scored.status === "rejected") throw scored.reason;
  return `${scored.value}, ${proofs}`;
}

/**
 * Scores addresses, longest wait first, until the list is empty or the budget is
 * used up. An address that fails leaves the list: its badge adds it again. Several
 * failures in a row end the run, because upstream is down; a single one does not, so
 * that nobody can make the job fail with an address that cannot be read.
 */
async function scoreAll(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  const { waitingScores } = deps.store;
  let scored = 0;
  let failed = 0;
  let failedInRow = 0;
  for (const address of await waitingScores.list()) {
    if (!await proceed()) break;
    try {
      const { read } = await scoreWithinBudget(deps, address, {
        priority: "job",
      });
      if (read === null) break;
      scored++;
      failedInRow = 0;
    } catch (error) {
      failed++;
      if (++failedInRow === MAX_FAILURES || !(error instanceof Fault)) {
        await waitingScores.remove(address);
        throw error;
      }
    }
    await waitingScores.remove(address);
  }
  return `${scored} addresses scored, ${failed} failed`;
}

type RefreshDeps = Pick<
  ScoresDeps,
  "log" | "now" | "share" | "store" | "timeout" | "upstream"
>;

const AS_REFRESH = { priority: "job", requester: REFRESH } as const;

/** Refreshes end before the next run of the job, so that badges need not wait. */
const LONGEST_MS = 4 * MINUTE_MS;

/** Consecutive failures after which the source is left alone. */
const MAX_REFRESH_FAILURES = 3;

/** Returns whether an address is to be refreshed, and a call is left for it. */
async function isRefreshDue(deps: RefreshDeps): Promise<boolean> {
  const { now, store: { scores }, upstream: { explorer } } = deps;
  const at = now().getTime();
  for await (const _ of scores.listRefreshes(at, { limit: 1 })) {
    await explorer.prepare(AS_REFRESH);
    return explorer.waitMs(AS_REFRESH) <= 0;
  }
  return false;
}

/**
 * Refreshes addresses, soonest end of their day first, until no call is left above the
 * line. One that fails has its next turn a day later. Returns the outcome; empty if
 * there is nothing to do.
 */
export async function refreshOften(
  deps: RefreshDeps,
  { proceed }: RunContext,
): Promise<string> {
  const { now, store: { scores } } = deps;
  const endsAt = now().getTime() + LONGEST_MS;
  let [refreshed, failed, failedInRow] = [0, 0, 0];
  if (!await isRefreshDue(deps)) return "";
  for await (const listed of scores.listRefreshes(now().getTime())) {
    const { address } = listed;
    const at = now().getTime();
    if (at >= endsAt || !await proceed()) break;
    const [history, checked] = await Promise.all([
      scores.find(address),
      checkSignals(deps, address),
    ]);
    const stored = checked.stored?.signals;
    if (!stored || history === null || !isReadOften(history, at)) {
      await scores.moveRefresh(listed, null);
      continue;
    }
    const dayEnd = dayEndOf(stored);
    if (dayEnd >= listed.before) {
      // A reader has read them anew.
      await scores.moveRefresh(listed, dayEnd);
      continue;
    }
    // It is moved before the call, so that no other process makes the same one.
    if (!await scores.moveRefresh(listed, at + DAY_MS)) continue;
    try {
      await readSignals(deps, address, {
        ...AS_REFRESH,
        isAhead: true,
        checked,
      });
      refreshed++;
      failedInRow = 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (isUsedUp(error.failure) || isPause(error)) {
        await scores.listRefresh(address, dayEnd);
        break;
      }
      failed++;
      if (++failedInRow === MAX_REFRESH_FAILURES) break;
    }
  }
  return `${refreshed} refreshed ahead${failed > 0 ? `, ${failed} not` : ""}`;
}
