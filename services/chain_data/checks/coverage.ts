/** Which chains the sources have: served, late, not indexed, stopped or not read yet. */
import type { z } from "zod";
import { readChainList } from "../catalogue/chains.ts";
import type { SeriesCheck } from "../catalogue/fields_schema.ts";
import { listUntracked } from "../catalogue/listed_chains.ts";
import { proofOf } from "../catalogue/cross_checks_schema.ts";
import {
  type Chain,
  type ChainProof,
  type ChainsAnswer,
  type Coverage,
  coverageOf,
} from "../catalogue/chains_schema.ts";
import type { ChainDataDeps } from "./deps.ts";
import {
  firstActiveDay,
  inferableThrough,
  lastActiveDay,
  withSecondSource,
} from "../series/inferred_days.ts";
import { readStoredPair } from "./index_checks.ts";
import { findPublication, findSecondTxCount } from "../series/series_reader.ts";
import { type DailySeries, EMPTY_SERIES, newestDay } from "../series/series.ts";
import type {
  CacheableAnswer,
  FreshnessOptions,
} from "../../platform/cache.ts";
import { formatDay } from "../../platform/days.ts";
import { maxOf } from "../../platform/numbers.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";

type CoverageDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** What the sources have of a chain. */
export interface CoveredChain {
  readonly chain: Chain;
  readonly coverage: Coverage;
  /** How its transactions compare; null if they were never read. */
  readonly check: SeriesCheck | null;
  /** Its transactions, and whether a second source has later ones; null if they were never read. */
  readonly txCount: DailySeries | null;
  /** When they were last read, in epoch ms; 0 if never. */
  readonly readAt: number;
}

/** Reads the coverage of every tracked chain, ordered by id. It calls no upstream. */
export async function readCoverage(
  deps: CoverageDeps,
): Promise<CoveredChain[]> {
  const { store, upstream } = deps;
  const chains =
    ofUpstream(upstream.metrics, await store.chains.find())?.chains ?? [];
  const published = (await findPublication(deps))?.newestDay ?? null;
  const covered = [];
  // Sequential: other requests run while this one waits for the store.
  for (const chain of chains) {
    covered.push(await readCoverageOf(deps, chain, published));
  }
  return covered;
}

/** Reads the coverage of a chain; `published` is the newest day of the C-Chain, null before its first read. */
export async function readCoverageOf(
  deps: CoverageDeps,
  chain: Chain,
  published: number | null,
): Promise<CoveredChain> {
  const found = await readStoredPair(deps, {
    chainId: chain.chainId,
    metric: "txCount",
  });
  if (found === null) {
    const coverage = coverageOf("unread");
    return { chain, coverage, check: null, txCount: null, readAt: 0 };
  }
  const { ours: txCount, check, readAt } = found;
  const elsewhere = await findSecondTxCount(deps, chain.chainId);
  const second = elsewhere?.series;
  return {
    chain,
    coverage: judgeCoverage({ txCount, second, published }),
    check,
    txCount: withSecondSource(txCount, second),
    readAt: Math.max(readAt, elsewhere?.changedAt ?? 0),
  };
}

/** Returns how well the transactions of a chain are backed. */
export function proofOfChain(
  check: SeriesCheck | null,
): z.infer<typeof ChainProof> {
  const agreementPct = check?.agreementPct ?? null;
  const reason = check?.reason ?? null;
  return { proof: proofOf({ agreementPct, reason }), agreementPct };
}

/**
 * Judges a chain by its transactions in both sources, and by the newest day that the
 * source has of the C-Chain. A chain without any for a week, whether the source publishes
 * zeroes or nothing, is idle, unless the second source or the chain's own node has some.
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
  if (published === null) return coverageOf("unread");
  if (last === null) {
    return activeElsewhere === undefined
      ? SERVED
      : coverageOf("notIndexed", formatDay(firstActiveDay(second)!));
  }
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
  const covered = new Map(
    (await readCoverage(deps)).map((read) => [read.chain.chainId, read]),
  );
  const readAt = maxOf([0, ...covered.values().map(({ readAt }) => readAt)]);
  return {
    answer: {
      count: list.chains.length,
      chains: list.chains.map((chain) => ({
        ...chain,
        coverage: covered.get(chain.chainId)?.coverage ?? coverageOf("unread"),
        ...proofOfChain(covered.get(chain.chainId)?.check ?? null),
      })),
      untracked: listUntracked(list.chains),
      fetchedAt: new Date(list.fetchedAt).toISOString(),
      source: list.source,
    },
    fetchedAt: list.fetchedAt,
    changedAt: Math.max(list.changedAt, readAt),
  };
}
