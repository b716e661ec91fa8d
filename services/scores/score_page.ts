/** The score page of an address: its score, rescored within the call budget, and its history. */
import type { Obstacle, ScorePage } from "./public_scores_schema.ts";
import type { ScoresDeps } from "./deps.ts";
import { dayAt, formatDay } from "../platform/days.ts";
import { resembledName } from "../profiles/name_marks.ts";
import { Fault } from "../platform/fault.ts";
import {
  addToWaiting,
  lastHeadlineOf,
  scoreWithinBudget,
} from "./public_scores.ts";
import { findScore } from "./scores.ts";

/** Days of history that a page shows, today included. */
const DAYS = 90;

type PageDeps = Pick<
  ScoresDeps,
  "log" | "modelSchedule" | "now" | "share" | "store" | "upstream"
>;

/**
 * Reads the score page of an address, lower-case. If the stored signals are not
 * fresh, the address is scored again. If that fails, the stored signals are shown
 * and the address waits for the job that scores addresses.
 */
export async function readScorePage(
  deps: PageDeps,
  address: string,
  client?: string,
): Promise<ScorePage> {
  let found = await findScore(deps, address);
  let obstacle: Obstacle | null = null;
  if (found?.freshness !== "fresh") {
    obstacle = await tryToScore(deps, address, client);
    found = await findScore(deps, address);
    // Upstream failed, and older signals were used instead.
    if (found?.freshness !== "fresh") obstacle ??= "down";
  }
  const { profiles, scores } = deps.store;
  const [history, profile] = await Promise.all([
    scores.find(address),
    profiles.find(address),
  ]);
  const today = dayAt(deps.now().getTime());
  const from = today - DAYS + 1;
  return {
    address,
    read: found?.read ?? null,
    signals: found?.freshness ?? "none",
    obstacle,
    last: lastHeadlineOf(history),
    history: {
      from: formatDay(from),
      to: formatDay(today),
      points: (history?.points ?? []).filter(({ day }) => day >= from)
        .map(({ day, headline }) => ({
          date: formatDay(day),
          score: headline,
        })),
    },
    profile: profile && {
      displayName: profile.displayName,
      resembles: await resembledName(profile.displayName),
    },
  };
}

/** Scores an address; returns why it could not, or null. */
async function tryToScore(
  deps: PageDeps,
  address: string,
  client: string | undefined,
): Promise<Obstacle | null> {
  try {
    const asked = { priority: "reader", client } as const;
    if (await scoreWithinBudget(deps, address, asked)) return null;
    await addToWaiting(deps, address, client);
    return "busy";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await addToWaiting(deps, address, client);
    return "down";
  }
}
