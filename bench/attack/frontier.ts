/** Variants of the model with other weights: the frontier that the choice was made on. */
import { S4_2026_2, variantOf } from "../../services/model/s4_2026_2.ts";
import { TABLES } from "../../services/model/s4_2026_2_tables.ts";

const WEIGHTS = [
  [35, 20, 10, 35],
  [30, 15, 10, 45],
  [22, 8, 8, 62],
  [16, 3, 6, 75],
  [10, 2, 4, 84],
  [5, 2, 3, 90],
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
