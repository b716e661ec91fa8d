/** What work costs that no cache answers, by route. A network is charged by this table. */

/**
 * CPU time in ms of the largest answer of each route pattern, made and compressed
 * once. `deno task bench costs` measures it, and a test holds each row to it within a
 * factor of two. The time that a piece of work takes is not charged: it grows with
 * what else runs at the same time. The rows of pictures and of chunks of files, the first
 * of which includes opening the file, have the name of their kind.
 */
export const ROUTE_COSTS = {
  /** Pages, charts and pictures. */
  page: {
    "/": 24,
    "/chains": 14,
    "/chains/:chainId": 11,
    "/charts/:metric": 11,
    "/days/:series/:chainId/:day": 2.5,
    "/disputes": 20,
    "/revisions": 5.5,
    "/downloads": 18,
    "/embed/chart/:metric": 14,
    "/dashboard/*": 1.1,
    "/tools/score": 0.6,
    "/tools/score/:address": 25,
    "/tools/verify-attestation": 0.8,
    "/profiles/:addressOrSlug": 1.9,
    "/api/profiles/*": 0.55,
    "/status": 15,
    "/docs/*": 1.4,
    "/llms.txt": 0.55,
    "/llms-full.txt": 4.4,
    "/sitemap.xml": 1.25,
    picture: 90,
  },
  /** Answers of chain data, and what else programs read. */
  data: {
    "/api/chain-data": 6,
    "/api/chain-data/chains": 8,
    "/api/chain-data/metrics": 6,
    "/api/chain-data/monthly-transactions": 4.4,
    "/api/chain-data/transaction-fees": 7,
    "/api/chain-data/block-production": 16,
    "/api/chain-data/validators": 25,
    "/api/chain-data/quality": 41,
    "/api/chain-data/disputes": 12,
    "/api/chain-data/revisions": 6,
    "/api/account/*": 1.2,
    "/api/tools/score-badge/:address": 1.6,
    "/chart/:file{[^]+\\.(?:svg|png|csv)}": 14,
    "/downloads/:path{.+}": 8,
    chunk: 2,
    "/openapi.json": 48,
    "/status.json": 2.7,
    "/mcp": 2.5,
    /** Paths without a route. */
    "/*": 1.2,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * CPU time in ms of a read of the sources that the work waits for. A series of five years
 * takes 6 to 9 and a wallet 0.5 to 1.5, and either answer is charged its cost within a
 * factor of two: `deno task bench costs` measures both.
 */
export const UPSTREAM_MS = 2;

/** Kinds of work. */
export type Work = keyof typeof ROUTE_COSTS;

/** The routes with a row. */
export type Route = {
  [Of in Work]: keyof typeof ROUTE_COSTS[Of];
}[Work];

const ROWS = new Map<string, { readonly of: Work; readonly ms: number }>(
  Object.entries(ROUTE_COSTS).flatMap(([of, rows]) =>
    Object.entries(rows).map(([route, ms]) => [route, { of: of as Work, ms }])
  ),
);

/** Returns the kind and the CPU time in ms of the work of a route. Throws if it has no row. */
export function costOf(route: string) {
  const row = ROWS.get(route);
  if (row === undefined) throw new Error(`No row of ROUTE_COSTS is ${route}`);
  return row;
}
