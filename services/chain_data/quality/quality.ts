/** The answer of `GET /quality`, read from the store alone. */
import {
  INDEX_METRICS,
  type IndexMetric,
} from "../catalogue/cross_checks_schema.ts";
import { listUntracked } from "../catalogue/listed_chains.ts";
import { readChainQuality } from "./chain_quality.ts";
import { C_CHAIN, STORED_METRICS } from "../catalogue/metrics_schema.ts";
import {
  type CheckQuality,
  IDENTITY_LIST,
  type QualityAnswer,
  type SourceQuality,
} from "./quality_schema.ts";
import { type CacheableAnswer, hoursSince } from "../../platform/cache.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { compareStoredSeries, type StoredCheck } from "../checks/disputes.ts";
import {
  compareStoredChains,
  type StoredIndexCheck,
} from "../checks/index_checks.ts";
import {
  EXPLORER_METRICS,
  indexSeriesId,
  nameSeries,
  nodeSeriesId,
  type SeriesId,
  STAKING_METRICS,
} from "../catalogue/series_id.ts";
import { proofOfChain, readCoverage } from "../checks/coverage.ts";
import {
  findExplorerSeries,
  indexMetricsOf,
} from "../checks/explorer_series.ts";
import { lastTakenAt } from "../checks/measurements.ts";
import { formatDay } from "../../platform/days.ts";
import { ofUpstream, originOf } from "../../platform/http/upstream_answer.ts";
import { minOf } from "../../platform/numbers.ts";
import { instant } from "../../platform/clock.ts";
import { decisionOn } from "../series/doubted_days.ts";
import { findSeries } from "../series/series_reader.ts";

type QualityDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Reads how current the sources are, how far they agree and which identities fail. */
export async function readQuality(
  deps: QualityDeps,
): Promise<CacheableAnswer<QualityAnswer>> {
  const checks = await listChecks(deps);
  const held = await listHeldDays(deps);
  const chains = await compareStoredChains(deps);
  const covered = await readCoverage(deps);
  const answer: QualityAnswer = {
    sources: await listSources(deps),
    checks,
    coverage: covered.map((
      { chain: { chainId, chainName }, coverage, check },
    ) => ({ chainId, chainName, ...coverage, ...proofOfChain(check) })),
    untracked: listUntracked(covered.map(({ chain }) => chain)),
    chainChecks: chains.map(showChainCheck),
    chainCheckTotals: INDEX_METRICS.map((metric) =>
      totalsOf(metric, chains.filter((check) => check.metric === metric))
    ),
    identities: [...IDENTITY_LIST],
    withdrawals: held.withdrawals,
    chainDoubts: await listDoubts(deps),
    setAside: [...held.setAside, ...await listSetAside(deps)],
    doubtedDays: held.doubtedDays,
    doubtDecisions: held.doubtDecisions,
    chains: await readChainQuality(deps),
  };
  // Lags grow with time, so the answer has no date of change.
  return { answer, fetchedAt: deps.now().getTime(), changedAt: null };
}

/** What sources say about days that is not used as they say it. */
type HeldDays = Pick<
  QualityAnswer,
  "withdrawals" | "setAside" | "doubtedDays" | "doubtDecisions"
>;

/** Lists the days that sources withdraw, that can't be read and that can't be true, of every stored series. */
async function listHeldDays(
  { store, upstream }: QualityDeps,
): Promise<HeldDays> {
  const list = ofUpstream(upstream.metrics, await store.chains.find());
  const ids: SeriesId[] = [
    ...(list?.chains ?? []).flatMap(({ chainId: subject }) =>
      STORED_METRICS.map((metric) => ({ subject, metric }))
    ),
    ...(list?.chains ?? []).flatMap(({ chainId }) =>
      indexMetricsOf(chainId).map((metric) => indexSeriesId(chainId, metric))
    ),
    ...STAKING_METRICS.map((metric) =>
      ({ subject: "primary-network", metric }) as const
    ),
    ...EXPLORER_METRICS.map((metric) =>
      ({ subject: "explorer-index", metric }) as const
    ),
  ];
  const held = await store.series.listHeld(ids);
  const withdrawals = ids.flatMap((id, nth) =>
    held[nth]!.withdrawals.map(({ from, to, answer, foundAt, reads }) => ({
      series: nameSeries(id),
      from: formatDay(from),
      to: formatDay(to),
      disputed: "withdrawn" as const,
      answer,
      foundAt: instant(foundAt),
      readCount: reads,
    }))
  );
  const setAside = ids.flatMap((id, nth) => {
    const { unread } = held[nth]!;
    const [first] = unread;
    return first === undefined ? [] : [{
      of: nameSeries(id),
      rowCount: unread.length,
      days: unread.flatMap(({ day }) => day === null ? [] : [formatDay(day)]),
      reason: first.reason,
      foundAt: instant(minOf(unread.map(({ foundAt }) => foundAt))),
    }];
  });
  const doubtedDays = ids.flatMap((id, nth) => {
    const { doubts, decisions } = held[nth]!;
    return doubts.map((doubt) => ({
      series: nameSeries(id),
      from: formatDay(doubt.from),
      to: formatDay(doubt.to),
      reason: doubt.kind,
      value: doubt.value,
      against: doubt.against,
      foundAt: instant(doubt.foundAt),
      decision: decisionOn(doubt, decisions)?.isAccepted === false
        ? "refused" as const
        : "open" as const,
    }));
  });
  const doubtDecisions = ids.flatMap((id, nth) =>
    held[nth]!.decisions.map(({ from, to, kind, isAccepted, at }) => ({
      series: nameSeries(id),
      from: formatDay(from),
      to: formatDay(to),
      reason: kind,
      accepted: isAccepted,
      decidedAt: instant(at),
    }))
  );
  return { withdrawals, setAside, doubtedDays, doubtDecisions };
}

/** Lists the entries of the chain list that are not believed, and new names. */
async function listDoubts(
  { store, upstream }: QualityDeps,
): Promise<QualityAnswer["chainDoubts"]> {
  const list = ofUpstream(upstream.metrics, await store.chains.find());
  return (list?.doubts ?? []).map(({ foundAt, ...doubt }) => ({
    ...doubt,
    foundAt: instant(foundAt),
  }));
}

/** Lists what else had rows that can't be read. */
async function listSetAside(
  { store }: QualityDeps,
): Promise<QualityAnswer["setAside"]> {
  return (await store.setAside.list()).map(({ of, rows, reason, foundAt }) => ({
    of,
    rowCount: rows,
    days: [],
    reason,
    foundAt: instant(foundAt),
  }));
}

/** Lists how far the two sources of each stored checked series agree. */
export async function listChecks(deps: QualityDeps): Promise<CheckQuality[]> {
  return (await compareStoredSeries(deps)).map(showCheck);
}

/** Lists when each source was last read. */
export async function listSources(
  deps: QualityDeps,
): Promise<SourceQuality[]> {
  const { now, store, upstream } = deps;
  const { metrics, explorer, cChain, chainNodes, platformChain } = upstream;
  const findTxCount = (subject: number) =>
    findSeries(deps, { subject, metric: "txCount" });
  const others = await Promise.all(
    metrics.others.map(async (other) => ({
      ...other,
      series: await findTxCount(other.chainId),
    })),
  );
  const nodes = await Promise.all(
    chainNodes.entries().map(async ([chainId, node]) => ({
      chainId,
      node,
      series: ofUpstream(node, await store.series.find(nodeSeriesId(chainId))),
    })),
  );
  const [series, index, samples, snapshots] = await Promise.all([
    findTxCount(C_CHAIN),
    findNewestExplorerSeries(deps),
    store.blockSamples.list(),
    store.validatorDays.list(),
  ]);
  const show = (
    { source, url, serves, at }:
      & Omit<SourceQuality, "lastSuccessAt" | "lagHours">
      & { at: number | null },
  ): SourceQuality => ({
    source,
    url,
    serves,
    lastSuccessAt: instant(at),
    lagHours: at === null ? null : hoursSince(at, now().getTime()),
  });
  return [
    show({
      source: series?.source ?? metrics.source,
      url: originOf(metrics.baseUrl),
      serves: "daily series of every chain",
      at: series?.fetchedAt ?? null,
    }),
    ...others.map(({ chainId, baseUrl, source, series }) =>
      show({
        source: series?.source ?? source,
        url: originOf(baseUrl),
        serves: `daily series of chain ${chainId}`,
        at: series?.fetchedAt ?? null,
      })
    ),
    show({
      source: index?.source ?? explorer.source,
      url: originOf(explorer.baseUrl),
      serves: "second source of every chain; blocks a day",
      at: index?.fetchedAt ?? null,
    }),
    show({
      source: samples.at(-1)?.source ?? cChain.source,
      url: originOf(cChain.url),
      serves: "first blocks of days",
      at: lastTakenAt(samples),
    }),
    ...nodes.map(({ chainId, node, series }) =>
      show({
        source: series?.source ?? node.source,
        url: originOf(node.baseUrl),
        serves: `whether chain ${chainId} is active, while it seems idle`,
        at: series?.fetchedAt ?? null,
      })
    ),
    show({
      source: snapshots.at(-1)?.source ?? platformChain.source,
      url: originOf(platformChain.baseUrl),
      serves: "validator sets",
      at: lastTakenAt(snapshots),
    }),
  ];
}

/** Finds the explorer series that was fetched last. */
async function findNewestExplorerSeries(deps: QualityDeps) {
  const found = await Promise.all(
    EXPLORER_METRICS.map((metric) => findExplorerSeries(deps, metric)),
  );
  return found.filter((series) => series !== null)
    .sort((a, b) => b.fetchedAt - a.fetchedAt).at(0);
}

function showCheck({ name, comparison: { tail } }: StoredCheck): CheckQuality {
  const { source, checks, recentAgreementPct, disputedDayCount } = tail;
  return {
    series: name,
    source,
    crossCheckSource: checks.source,
    checkedThrough: checks.checkedThrough,
    comparedDayCount: checks.comparedDayCount,
    agreementPct: checks.agreementPct,
    recentAgreementPct,
    openDisputeCount: disputedDayCount,
  };
}

function showChainCheck(
  { chain, metric, comparison, crossCheckSource }: StoredIndexCheck,
): QualityAnswer["chainChecks"][number] {
  const { reason, checkedThrough, disputedDays } = comparison;
  return {
    chainId: chain.chainId,
    chainName: chain.chainName,
    metric,
    compared: reason === null,
    reason,
    crossCheckSource,
    checkedThrough: checkedThrough === null ? null : formatDay(checkedThrough),
    comparedDayCount: comparison.comparedDayCount,
    notCoveredDayCount: comparison.notCoveredDayCount,
    agreementPct: comparison.agreementPct,
    recentAgreementPct: comparison.recentAgreementPct,
    openDisputeCount: disputedDays.length,
  };
}

function totalsOf(
  metric: IndexMetric,
  checks: readonly StoredIndexCheck[],
): QualityAnswer["chainCheckTotals"][number] {
  const compared = checks.filter(({ comparison }) =>
    comparison.reason === null
  );
  const total = (count: (of: StoredIndexCheck["comparison"]) => number) =>
    compared.reduce((sum, { comparison }) => sum + count(comparison), 0);
  const comparedDayCount = total((of) => of.comparedDayCount);
  const disputedDayCount = total((of) => of.disputedDays.length);
  return {
    metric,
    comparedChainCount: compared.length,
    comparedDayCount,
    agreeingDayCount: comparedDayCount - disputedDayCount,
    disputedDayCount,
    notCoveredDayCount: total((of) => of.notCoveredDayCount),
  };
}
