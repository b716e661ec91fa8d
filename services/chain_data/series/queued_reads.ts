/**
 * Queues the series that requests could not read, because this service has used up the
 * calls that it allows itself, and says until when a job has read them.
 */
import { MINUTE_MS } from "../../platform/days.ts";
import { maxOf } from "../../platform/numbers.ts";
import {
  requesterOfClient,
  SERVICE,
  type SharedBudget,
} from "../../platform/rate_limit/call_budget.ts";
import type { MetricsSeriesId } from "../catalogue/series_id.ts";
import type { StoredSeriesDeps } from "./deps.ts";

/**
 * The parts of the calls of jobs for prompt and for late places; the rest is for other
 * reads. One network gets an eighth of the prompt ones, so that the series which some
 * networks ask for by the hundred delay those of others by little.
 */
const PROMPT_PART = 0.7;
const LATE_PART = 0.2;
const NETWORK_PART = 1 / 8;

/** Longest time until the series of a prompt place is read. */
const PROMPT_MS = 2 * MINUTE_MS;

/** Calls that a job makes before it looks into the queue again. */
export const CALLS_BEFORE = 2;

/** A place in the queue. */
export interface Place {
  /** Until when the series is read, epoch ms. */
  readonly at: number;
  /** Whether a request may wait for it: it may be read within seconds. */
  readonly isPrompt: boolean;
}

/**
 * Queues a series for a network, or for the service itself. A series that is queued
 * keeps its place, unless this network has an earlier one. Every network gets some prompt places a minute; further series
 * follow at a distance that leaves the prompt places free. Each host has places of its
 * own, because jobs read its series apart from those of others.
 */
export async function queueRead(
  deps: Pick<StoredSeriesDeps, "now" | "store" | "upstream">,
  id: MetricsSeriesId,
  client: string | undefined,
): Promise<Place> {
  const { store: { budgets, readQueue }, upstream } = deps;
  const { metrics } = upstream;
  const jobs = metrics.jobsOf(id);
  const isOfHost = (other: MetricsSeriesId) =>
    metrics.jobsOf(other).name === jobs.name;
  const now = deps.now().getTime();
  const held = await readQueue.find(id);
  // A late place is not kept: others may have asked for hundreds of series.
  if (held !== null && placeOf(held, now).isPrompt) return placeOf(held, now);
  const callMs = msPerCall(jobs);
  const free = await budgets.look(jobs, SERVICE, now);
  const startMs = Math.max(
    // The job starts with a minute, if it does not run.
    MINUTE_MS - now % MINUTE_MS,
    free.allowed ? 0 : free.retryAfterMs,
  );
  const requester = requesterOfClient(client);
  const parties = requester.parties.map(({ name }) => ({
    name,
    cap: NETWORK_PART,
  }));
  const prompt = await budgets.takeShared(promptPlaces(jobs), {
    ...requester,
    parties,
  }, deps);
  if (!prompt.allowed) {
    const at = held ?? await readQueue.add(id, {
      at: now + startMs + PROMPT_MS,
      apart: { ms: callMs / LATE_PART, of: jobs.name },
    });
    return { at, isPrompt: false };
  }
  const most = Math.ceil(2 * PROMPT_MS / callMs);
  const before = await readQueue.countBefore(now + PROMPT_MS, {
    most,
    isOfHost,
  });
  const waitMs = startMs + (before + CALLS_BEFORE) * callMs;
  return placeOf(await readQueue.add(id, { at: now + waitMs }), now);
}

function placeOf(at: number, now: number): Place {
  return { at, isPrompt: at - now <= PROMPT_MS };
}

/** Returns the budget of prompt places. */
function promptPlaces({ name, limits, shares }: SharedBudget): SharedBudget {
  return {
    name: `${name} promised`,
    limits: limits.map(({ calls, perMs }) => ({
      calls: Math.max(1, Math.floor(calls * PROMPT_PART)),
      perMs,
    })),
    shares,
  };
}

/** Returns the time between two calls at the limits, ms; that of a day counts only alone. */
function msPerCall({ limits }: SharedBudget): number {
  const short = limits.filter(({ perMs }) => perMs <= MINUTE_MS);
  const counted = short.length > 0 ? short : limits;
  return maxOf(counted.map(({ calls, perMs }) => perMs / calls));
}
