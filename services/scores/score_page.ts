/** The page of an address: its score, anew within the budget, and its history. */
import type { Obstacle, ScorePage } from "./public_scores_schema.ts";
import type { ScoresDeps } from "./deps.ts";
import { dayAt, formatDay } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import {
  askForScore,
  lastHeadlineOf,
  scoreWithinBudget,
} from "./public_scores.ts";
import { findScore } from "./scores.ts";

/** Days of history that a page shows, today included. */
const DAYS = 90;

type PageDeps = Pick<
  ScoresDeps,
  "log" | "now" | "share" | "store" | "upstream"
>;

/**
 * Reads what the page of an address, lower-case, shows. Where the stored signals
 * are not current the address is scored anew; where that cannot be, what is
 * stored serves, and the address is put on the list of those that wait.
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
    // What upstream kept back, older signals stood in for.
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
      points: (history?.points ?? []).flatMap(({ day, headline: score }) =>
        day >= from && score !== undefined
          ? [{ date: formatDay(day), score }]
          : []
      ),
    },
    profile: profile && { displayName: profile.displayName },
  };
}

/** Scores an address, or says what is in the way; null where nothing is. */
async function tryToScore(
  deps: PageDeps,
  address: string,
  client: string | undefined,
): Promise<Obstacle | null> {
  try {
    const asked = { priority: "reader", client } as const;
    if (await scoreWithinBudget(deps, address, asked)) return null;
    await askForScore(deps, address, client);
    return "busy";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await askForScore(deps, address, client);
    return "down";
  }
}
