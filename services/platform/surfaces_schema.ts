/** The families that requests are counted by. */

/** The families that requests are counted by, each with what it is. */
export const SURFACES = {
  chainData: "Chain data API",
  scoring: "Scoring API",
  account: "Accounts",
  profiles: "Public profiles",
  badges: "Badges",
  static: "Files of pages",
  pages: "Pages, and all else",
} as const satisfies Record<string, string>;

/** A family that requests are counted by. */
export type Surface = keyof typeof SURFACES;
/** The families in the order of an answer. */
export const SURFACE_NAMES = Object.keys(SURFACES) as Surface[];
