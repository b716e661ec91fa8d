/** A model after the one in use, for tests of an announced change. */
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import type { ScoringModel } from "../../../services/model/scoring_model.ts";

/** The model in use, with half of the points for gas. */
export const LATER: ScoringModel = {
  ...S4_2026_3,
  id: "s4-2027.1",
  summarize(chain, now) {
    const { tenure, measure } = S4_2026_3.summarize(chain, now);
    return {
      tenure,
      measure(signals, followers) {
        const { parts, ...measures } = measure(signals, followers);
        return {
          ...measures,
          parts: { ...parts, gasSpent: parts.gasSpent / 2 },
        };
      },
    };
  },
};
