/** The surfaces that requests are counted by. */

/** The surfaces by name, each with its label. */
export const SURFACES = {
  chainData: "Chain data API",
  scoring: "Scoring API",
  account: "Accounts",
  profiles: "Public profiles",
  badges: "Badges",
  mcp: "MCP",
  static: "Static files",
  pages: "Pages and everything else",
} as const satisfies Record<string, string>;

/** The name of a surface. */
export type Surface = keyof typeof SURFACES;
/** The surfaces in the order of an answer. */
export const SURFACE_NAMES = Object.keys(SURFACES) as Surface[];
