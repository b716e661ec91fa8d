/** Scores for badges and pages: from the store, or read within budgets that visitors share by network. */
import type { BadgeScore, LastHeadline } from "./public_scores_schema.ts";
import type { ScoreRead } from "../model/scores_schema.ts";
import {
  limitFreeAction,
  requireLeftForClient,
  takeForClient,
} from "../platform/rate_limit/change_limits.ts";
import {
  type Limit,
  partOf,
  type Priority,
  visitorRequester,
} from "../platform/rate_limit/call_budget.ts";
import type { ScoreReadDeps, ScoresDeps } from "./deps.ts";
import { DAY_MS, formatDay, MINUTE_MS } from "../platform/days.ts";
import {
  callsUsedUp,
  Fault,
  isPause,
  refusedClient,
} from "../platform/fault.ts";
import { headlineTierOf } from "./score_history.ts";
import { signalsOf } from "../profiles/profile.ts";
import { proofSignalsOf } from "../profiles/human_proofs.ts";
import { findScore, isHumanNow, readScore } from "./scores.ts";

/**
 * Addresses scored for all visitors without a key. Each takes one to three calls,
 * rarely up to seven, of the 120 a minute and 10,000 a day that the explorer index
 * allows. A network gets at most half of what is left, and no more than its own
 * limits (`change_limits.ts`). Paid plans keep their share of the index.
 */
const LIMITS: readonly Limit[] = [
  { calls: 40, perMs: MINUTE_MS },
  { calls: 1_000, perMs: DAY_MS },
];

/** Addresses added to the waiting list: as many as the job may score in a day. */
const WAITING_LIMITS: readonly Limit[] = [{ calls: 500, perMs: DAY_MS }];

/** Share of the budget by priority. Badges use half, so that pages, which people wait for, have room. */
const SHARES: Record<Priority, number> = { reader: 1, job: 1 / 2 };

/** The name of the budget in a refusal. */
const BUDGET = "public-scores";

/** Who a score is read for. */
interface ScoreFor {
  readonly priority: Priority;
  readonly client?: string | undefined;
}

type ScoreHistory = Awaited<ReturnType<ScoresDeps["store"]["scores"]["find"]>>;

/**
 * Finds the content of a badge without calling upstream. If the signals are not
 * fresh, the address is added to the waiting list.
 */
export async function readBadgeScore(
  deps: Omit<ScoreReadDeps, "share" | "timeout">,
  address: string,
  client?: string,
): Promise<BadgeScore> {
  const found = await findScore(deps, address);
  if (found?.freshness !== "fresh") await addToWaiting(deps, address, client);
  if (found) {
    const { headline, s4: { composite }, verifiedHuman, explanation } =
      found.read;
    return {
      headline,
      composite,
      verifiedHuman: isHumanNow(found.read) ? verifiedHuman : null,
      strengths: explanation.reasons.filter(({ kind }) => kind === "positive")
        .map(({ title }) => title),
    };
  }
  const { humanProofs, profiles, scores } = deps.store;
  const [history, profile, record] = await Promise.all([
    scores.find(address),
    profiles.find(address),
    humanProofs.find(address),
  ]);
  const { isHumanNow: isHuman } = signalsOf(profile, null, {
    proofs: proofSignalsOf(record),
    now: deps.now().getTime(),
  });
  return {
    headline: lastHeadlineOf(history),
    composite: null,
    verifiedHuman: isHuman ? profile!.verifiedHuman : null,
    strengths: [],
  };
}

/** Returns the last headline of a history; null if the address was never scored. */
export function lastHeadlineOf(history: ScoreHistory): LastHeadline | null {
  const last = history?.points.at(-1);
  if (last === undefined) return null;
  const { headline: score, day } = last;
  return { score, ...headlineTierOf(last), date: formatDay(day) };
}

/** A score, or the wait until a budget that is used up has room. */
type PublicScore =
  | { readonly read: ScoreRead }
  | { readonly read: null; readonly retryAfterMs: number };

/**
 * Scores an address, lower-case, within the budget of all visitors and that of the
 * client's network. Concurrent calls of one priority share one read, which counts
 * once. Throws a fault if upstream is down.
 */
export async function scoreWithinBudget(
  deps: ScoreReadDeps,
  address: string,
  { priority, client }: ScoreFor,
): Promise<PublicScore> {
  const work = async () => {
    const limits = LIMITS.map((limit) => partOf(limit, SHARES[priority]));
    const budget = { name: BUDGET, limits };
    // Looks first, so that a refusal by the budget of all costs the network nothing.
    await requireLeftForClient(deps, budget, client);
    if (client !== undefined) await takeOfNetwork(deps, client);
    await takeForClient(deps, budget, client);
    const requester = visitorRequester(client);
    return readScore(deps, address, { priority, requester, allowStale: true });
  };
  try {
    const key = `${BUDGET}/${priority}/${address}`;
    return { read: await deps.share(key, work, client) };
  } catch (error) {
    if (refusedClient(error) === undefined && !isPause(error)) throw error;
    return { read: null, retryAfterMs: retryAfterOf(error as Fault) };
  }
}

/** Counts an address by the networks of a client. A refusal affects only that client. */
async function takeOfNetwork(
  deps: ScoreReadDeps,
  client: string,
): Promise<void> {
  try {
    await limitFreeAction(deps, "publicScore", client);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw callsUsedUp("scoringBusy", {
      upstream: BUDGET,
      requester: client,
      usedBy: "network",
      retryAfterMs: retryAfterOf(error),
    });
  }
}

/** Returns the wait that a fault asks for, in milliseconds; 0 if it asks for none. */
export function retryAfterOf({ failure }: Fault): number {
  return "retryAfterMs" in failure ? failure.retryAfterMs : 0;
}

/**
 * Adds an address to the waiting list, within the client's share of it. Errors are
 * logged only, as the answer does not depend on it.
 */
export async function addToWaiting(
  deps: Pick<ScoresDeps, "log" | "now" | "store">,
  address: string,
  client?: string,
): Promise<void> {
  const { log, store } = deps;
  try {
    if (!await store.waitingScores.hasRoomFor(address)) return;
    const budget = { name: "waiting-scores", limits: WAITING_LIMITS };
    await takeForClient(deps, budget, client);
    await store.waitingScores.add(address);
  } catch (error) {
    if (refusedClient(error) === undefined) {
      log("score.unlisted", { error });
    }
  }
}
