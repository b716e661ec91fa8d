/** Which model scores at a time. A later model is announced before it is used. */
import { dayAt, formatDay, parseDay } from "../platform/days.ts";
import { S4_2026_3 } from "./s4_2026_3.ts";
import type { ScoringModel } from "./scoring_model.ts";

/** Days from the announcement of a model to its use. */
const NOTICE_DAYS = 30;

/** A model and its announcement. */
export interface ScheduledModel {
  readonly model: ScoringModel;
  /** The UTC day of the announcement, `YYYY-MM-DD`; null for the first model. */
  readonly announcedOn: string | null;
}

/** The models of this service, the oldest first. */
export const MODEL_SCHEDULE: readonly ScheduledModel[] = [
  { model: S4_2026_3, announcedOn: null },
];

/** A model that is announced and not used yet. */
interface AnnouncedModel {
  readonly model: ScoringModel;
  /** UTC days, `YYYY-MM-DD`. */
  readonly announcedOn: string;
  readonly usedFrom: string;
}

/** The model in use, and the announced one; null if there is none. */
export interface ModelsAt {
  readonly current: ScoringModel;
  readonly next: AnnouncedModel | null;
}

/** Returns the models of a schedule at an instant, epoch ms. */
export function modelsAt(
  now: number,
  schedule: readonly ScheduledModel[],
): ModelsAt {
  const today = dayAt(now);
  let current = schedule[0]!.model;
  for (const { model, announcedOn } of schedule) {
    if (announcedOn === null) continue;
    const day = parseDay(announcedOn);
    const usedFrom = day + NOTICE_DAYS;
    if (usedFrom <= today) current = model;
    else if (day <= today) {
      const next = { model, announcedOn, usedFrom: formatDay(usedFrom) };
      return { current, next };
    }
  }
  return { current, next: null };
}
