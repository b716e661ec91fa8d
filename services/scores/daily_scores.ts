/** The last score of each day. */
import { dayAt, formatDay } from "../platform/days.ts";
import type { ScoresDeps } from "./deps.ts";
import { METHOD } from "../model/model.ts";
import type { HistoryAnswer } from "../model/score_lists_schema.ts";
import { headlineTierOf } from "./score_history.ts";
import { TIERS } from "../model/score_terms_schema.ts";
import { modelsOf } from "./scores.ts";

/** Reads the last score of each of the last `days` days, today included, oldest first. */
export async function readHistory(
  deps: Pick<ScoresDeps, "modelSchedule" | "now" | "store">,
  address: string,
  { days, breakdown: isWanted }: { days: number; breakdown: boolean },
): Promise<HistoryAnswer> {
  const ms = deps.now().getTime();
  const first = dayAt(ms) - days + 1;
  const { points } = await deps.store.scores.find(address) ?? { points: [] };
  const history = points.filter(({ day }) => day >= first)
    .map((point) => ({
      date: formatDay(point.day),
      score: point.score ?? point.headline,
      tier: point.tier,
      tierLabel: TIERS[point.tier].label,
      headline: {
        score: point.headline,
        ...headlineTierOf(point),
        model: METHOD,
      },
      model: point.model,
      ...(isWanted
        ? { breakdown: { humanProofs: 0, ...point.breakdown } }
        : {}),
    }));
  return {
    address,
    days,
    count: history.length,
    history,
    fetchedAt: new Date(ms).toISOString(),
    model: modelsOf(deps, ms).current.id,
  };
}
