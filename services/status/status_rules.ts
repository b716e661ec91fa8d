/** When requests fail too often, and what an operator should change. */
import { type Counted, failedPct } from "../platform/observability/traffic.ts";
import type { Surface } from "../platform/surfaces_schema.ts";

/** From this percentage of failed requests on, the service counts as degraded. */
export const DEGRADED_PCT = { all: 1, surface: 5 } as const;

/** With fewer failed requests than this, their percentage is ignored. */
const MIN_FAILURES = 3;

/** Returns whether too many requests failed. */
export function isFailing(counted: Counted, maxPct: number): boolean {
  return counted.serverErrors >= MIN_FAILURES && failedPct(counted) >= maxPct;
}

/**
 * Returns whether too many requests of an hour failed: of all requests, or of
 * those to one surface.
 */
export function isTrafficFailing(
  surfaces: readonly (Counted & { readonly family: Surface })[],
): boolean {
  const all = surfaces.reduce((sum, { requests, serverErrors }) => ({
    requests: sum.requests + requests,
    serverErrors: sum.serverErrors + serverErrors,
  }), { requests: 0, serverErrors: 0 });
  return isFailing(all, DEGRADED_PCT.all) ||
    surfaces.some((surface) => isFailing(surface, DEGRADED_PCT.surface));
}

/** Returns what an operator should change, in sentences. */
export function listWarnings(
  { treasury, nodeHosts }: {
    readonly treasury: string | null;
    /** The hosts of the nodes that must agree on a payment. */
    readonly nodeHosts: readonly string[];
  },
): string[] {
  const isAlone = new Set(nodeHosts).size < 2;
  return treasury !== null && isAlone ? [ONE_NODE] : [];
}

const ONE_NODE =
  "One node alone decides which payments count: set C_CHAIN_RPC_URL to nodes of independent providers";
