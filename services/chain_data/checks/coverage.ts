/** Which chains the sources have: served, late, not indexed, stopped or not read yet. */
import { readChainList } from "../catalogue/chains.ts";
import {
  type Chain,
  type ChainsAnswer,
  type Coverage,
  coverageOf,
} from "../catalogue/chains_schema.ts";
import type { SecondSourceDeps } from "./deps.ts";
import {
  firstActiveDay,
  inferableThrough,
  lastActiveDay,
  withSecondSource,
} from "../series/inferred_days.ts";
import {
  findPublication,
  findSecondTxCount,
  findSeries,
} from "../series/series_reader.ts";
import { type DailySeries, EMPTY_SERIES, newestDay } from "../series/series.ts";
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
  const covered = [];
  let readAt = 0;
  // Sequential: other requests run while this one waits for the store.
  for (const chain of chains) {
    const { chainId } = chain;
    const [stored, second] = await Promise.all([
      findSeries(deps, { subject: chainId, metric: "txCount" }),
      findSecondTxCount(deps, chainId),
    ]);
    readAt = Math.max(readAt, stored?.fetchedAt ?? 0, second?.fetchedAt ?? 0);
    covered.push({
      chain,
      coverage: stored === null ? coverageOf("unread") : judgeCoverage({
        txCount: stored.series,
        second: second?.series,
        published,
      }),
    });
  }
  return { chains: covered, readAt };
}

/**
 * Judges a chain by its transactions in both sources, and by the newest day that the
 * source has of the C-Chain. A chain without any for a week, whether the source publishes
 * zeroes or nothing, is idle, unless the second source has some.
 */
export function judgeCoverage(
  { txCount, second = EMPTY_SERIES, published }: {
    readonly txCount: DailySeries;
    readonly second?: DailySeries | undefined;
    /** Null if nothing is known of the C-Chain. */
    readonly published: number | null;
  },
): Coverage {
  const { activeElsewhere } = withSecondSource(txCount, second);
  const last = lastActiveDay(txCount);
  if (last === null) {
    return activeElsewhere === undefined
      ? SERVED
      : coverageOf("notIndexed", formatDay(firstActiveDay(second)!));
  }
  if (published === null) return SERVED;
  const through = inferableThrough(published);
  if (last < through && activeElsewhere !== undefined) {
    return coverageOf("stopped", formatDay(last + 1));
  }
  const newest = newestDay(txCount)!;
  return through <= newest && newest < published
    ? coverageOf("late", formatDay(newest + 1))
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
