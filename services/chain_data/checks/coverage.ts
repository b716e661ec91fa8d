/** Which chains the sources have: served, late, not indexed, stopped or not read yet. */
import { readChainList } from "../catalogue/chains.ts";
import {
  type Chain,
  type ChainsAnswer,
  type Coverage,
  coverageOf,
} from "../catalogue/chains_schema.ts";
import type { SecondSourceDeps } from "./deps.ts";
import { inferableThrough } from "../series/inferred_days.ts";
import { findPublication, findSecondTxCount } from "../series/series_reader.ts";
import { type DailySeries, EMPTY_SERIES, pointsOf } from "../series/series.ts";
import type { CacheableAnswer } from "../../platform/cache/freshness.ts";
import type { FreshnessOptions } from "../../platform/cache/read_through.ts";
import { formatDay } from "../../platform/days.ts";
import { ofUpstream } from "../../platform/http/source_names.ts";

type CoverageDeps = Pick<SecondSourceDeps, "now" | "store" | "upstream">;

/** The coverage of every stored chain, ordered by id. */
interface CoverageRead {
  readonly chains: readonly {
    readonly chain: Chain;
    readonly coverage: Coverage;
  }[];
  /** When one of the series was last read, in epoch ms; 0 if none was. */
  readonly readAt: number;
}

/** Reads the coverage of every stored chain. It calls no upstream. */
export async function readCoverage(deps: CoverageDeps): Promise<CoverageRead> {
  const { store, upstream } = deps;
  const chains =
    ofUpstream(upstream.metrics, await store.chains.find())?.chains ?? [];
  const published = (await findPublication(deps))?.newestDay ?? null;
  const states = await store.series.listStates(
    chains.map(({ chainId }) => ({ subject: chainId, metric: "txCount" })),
    upstream.metrics.baseUrl,
  );
  const covered = [];
  let readAt = 0;
  for (const [nth, chain] of chains.entries()) {
    const state = states[nth];
    const newest = state?.newestDay ?? null;
    const isBehind = newest === null ||
      (published !== null && newest < published);
    const second = state && isBehind
      ? await findSecondTxCount(deps, chain.chainId)
      : null;
    readAt = Math.max(readAt, state?.fetchedAt ?? 0, second?.fetchedAt ?? 0);
    covered.push({
      chain,
      coverage: state
        ? judgeCoverage({ newest, published, second: second?.series })
        : coverageOf("unread"),
    });
  }
  return { chains: covered, readAt };
}

/**
 * Judges a chain by the newest day that the source has of it and of the C-Chain. What
 * ended long before is idle, unless the second source has traffic after it.
 */
export function judgeCoverage(
  { newest, published, second = EMPTY_SERIES }: {
    /** Null if the source has no day of the chain. */
    readonly newest: number | null;
    /** Null if nothing is known of the C-Chain. */
    readonly published: number | null;
    readonly second?: DailySeries | undefined;
  },
): Coverage {
  const active = pointsOf(second).filter(({ value }) => value > 0);
  if (newest === null) {
    const first = active[0];
    return first ? coverageOf("notIndexed", formatDay(first.day)) : SERVED;
  }
  if (published === null || newest >= published) return SERVED;
  const missing = formatDay(newest + 1);
  if (newest >= inferableThrough(published)) {
    return coverageOf("late", missing);
  }
  return active.some(({ day }) => day > newest)
    ? coverageOf("stopped", missing)
    : SERVED;
}

const SERVED = coverageOf("served");

/** Reads the answer of `GET /chains`. */
export async function readChains(
  deps: CoverageDeps & Parameters<typeof readChainList>[0],
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<ChainsAnswer>> {
  const list = await readChainList(deps, freshness);
  const { chains, readAt } = await readCoverage(deps);
  const coverage = new Map(
    chains.map(({ chain, coverage }) => [chain.chainId, coverage]),
  );
  return {
    answer: {
      count: list.chains.length,
      chains: list.chains.map((chain) => ({
        ...chain,
        coverage: coverage.get(chain.chainId) ?? coverageOf("unread"),
      })),
      fetchedAt: new Date(list.fetchedAt).toISOString(),
      source: list.source,
    },
    fetchedAt: list.fetchedAt,
    changedAt: Math.max(list.changedAt, readAt),
  };
}
