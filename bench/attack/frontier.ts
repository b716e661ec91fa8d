/** Variants of the model with other weights: the frontier that the choice was made on. */
import { S4_2026_2, variantOf } from "../../services/scores/model/s4_2026_2.ts";
import { TABLES } from "../../services/scores/model/s4_2026_2_tables.ts";

const WEIGHTS = [
  [25, 25, 10, 40],
  [22, 20, 10, 48],
  [20, 17, 9, 54],
  [18, 14, 8, 60],
  [15, 12, 8, 65],
  [10, 10, 10, 70],
] as const;

/** The variants, the one least about money first. */
export const FRONTIER = WEIGHTS.map((
  [humanity, activity, social, economic],
) =>
  variantOf({
    id: `weights ${humanity}/${activity}/${social}/${economic}`,
    weights: { humanity, activity, social, economic },
    floors: S4_2026_2.floors,
    tables: TABLES,
  })
);
