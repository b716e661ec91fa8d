/** Reads the signals of addresses that are read often again before they expire, from calls that no reader needs. */
import { Fault, isPause, isUsedUp } from "../platform/fault.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import { REFRESH } from "../platform/rate_limit/call_budget.ts";
import type { ScoresDeps } from "./deps.ts";
import { isReadOften } from "./score_history.ts";
import { checkSignals, readSignals } from "./signals/address_signals.ts";
import { dayEndOf } from "./signals/signal_freshness.ts";

type RefreshDeps = Pick<
  ScoresDeps,
  "log" | "now" | "share" | "store" | "timeout" | "upstream"
>;

const AS_REFRESH = { priority: "job", requester: REFRESH } as const;

/** Refreshes end before the next run of the job, so that badges need not wait. */
const LONGEST_MS = 4 * MINUTE_MS;

/** Consecutive failures after which the source is left alone. */
const MAX_FAILURES = 3;

/** Returns whether an address is to be refreshed, and a call is left for it. */
export async function isRefreshDue(deps: RefreshDeps): Promise<boolean> {
  const { now, store: { scores }, upstream: { explorer } } = deps;
  for await (const _ of scores.listRefreshes(now().getTime())) {
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
      if (++failedInRow === MAX_FAILURES) break;
    }
  }
  return `${refreshed} refreshed ahead${failed > 0 ? `, ${failed} not` : ""}`;
}
