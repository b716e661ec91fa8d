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
import { measuredBy } from "../checks/measurements.ts";
import type { Chain } from "../catalogue/chains_schema.ts";
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
  const { store, upstream } = deps;
  const list = ofUpstream(upstream.metrics, await store.chains.find());
  const checks = await listChecks(deps);
  const held = await listHeldDays(deps, list?.chains ?? []);
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
    chainDoubts: (list?.doubts ?? []).map(({ foundAt, ...doubt }) => ({
      ...doubt,
      foundAt: instant(foundAt),
    })),
    setAside: [
      ...held.setAside,
      // Lists that are no series.
      ...(await store.setAside.list()).map((
        { of, rows: rowCount, reason, foundAt },
      ) => ({ of, rowCount, days: [], reason, foundAt: instant(foundAt) })),
    ],
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
  { store }: QualityDeps,
  chains: readonly Chain[],
): Promise<HeldDays> {
  const ids: SeriesId[] = [
    ...chains.flatMap(({ chainId: subject }) =>
      STORED_METRICS.map((metric) => ({ subject, metric }))
    ),
    ...chains.flatMap(({ chainId }) =>
      indexMetricsOf(chainId).map((metric) => indexSeriesId(chainId, metric))
    ),
    ...STAKING_METRICS.map((metric) =>
      ({ subject: "primary-network", metric }) as const
    ),
    ...EXPLORER_METRICS.map((metric) =>
      ({ subject: "explorer-index", metric }) as const
    ),
  ];
  const listed: HeldDays = {
    withdrawals: [],
    setAside: [],
    doubtedDays: [],
    doubtDecisions: [],
  };
  const held = await store.series.listHeld(ids);
  for (const [nth, id] of ids.entries()) {
    const { withdrawals, unread, doubts, decisions } = held[nth]!;
    const daysOf = ({ from, to }: { from: number; to: number }) => ({
      series: nameSeries(id),
      from: formatDay(from),
      to: formatDay(to),
    });
    for (const each of withdrawals) {
      listed.withdrawals.push({
        ...daysOf(each),
        disputed: "withdrawn" as const,
        answer: each.answer,
        foundAt: instant(each.foundAt),
        readCount: each.reads,
      });
    }
    if (unread.length > 0) {
      listed.setAside.push({
        of: nameSeries(id),
        rowCount: unread.length,
        days: unread.flatMap(({ day }) => day === null ? [] : [formatDay(day)]),
        reason: unread[0]!.reason,
        foundAt: instant(minOf(unread.map(({ foundAt }) => foundAt))),
      });
    }
    for (const doubt of doubts) {
      listed.doubtedDays.push({
        ...daysOf(doubt),
        reason: doubt.kind,
        value: doubt.value,
        against: doubt.against,
        foundAt: instant(doubt.foundAt),
        decision: decisionOn(doubt, decisions)?.isAccepted === false
          ? "refused" as const
          : "open" as const,
      });
    }
    for (const decision of decisions) {
      listed.doubtDecisions.push({
        ...daysOf(decision),
        reason: decision.kind,
        accepted: decision.isAccepted,
        decidedAt: instant(decision.at),
      });
    }
  }
  return listed;
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
    serves: string,
    upstream: { readonly source: string; readonly baseUrl: string },
    read: { readonly source: string; readonly fetchedAt: number | null } | null,
  ): SourceQuality => {
    const at = read?.fetchedAt ?? null;
    return {
      source: read?.source ?? upstream.source,
      url: originOf(upstream.baseUrl),
      serves,
      lastSuccessAt: instant(at),
      lagHours: at === null ? null : hoursSince(at, now().getTime()),
    };
  };
  return [
    show("daily series of every chain", metrics, series),
    ...others.map(({ series, ...other }) =>
      show(`daily series of chain ${other.chainId}`, other, series)
    ),
    show("second source of every chain; blocks a day", explorer, index),
    show(
      "first blocks of days",
      { ...cChain, baseUrl: cChain.url },
      measuredBy(samples, cChain),
    ),
    ...nodes.map(({ chainId, node, series }) =>
      show(
        `whether chain ${chainId} is active, while it seems idle`,
        node,
        series,
      )
    ),
    show("validator sets", platformChain, measuredBy(snapshots, platformChain)),
  ];
}

/** Finds the explorer series that was fetched last. */
async function findNewestExplorerSeries(deps: QualityDeps) {
  const found = await Promise.all(
    EXPLORER_METRICS.map((metric) => findExplorerSeries(deps, metric)),
  );
  return found.filter((series) => series !== null)
    .sort((a, b) => b.fetchedAt - a.fetchedAt)[0] ?? null;
}

function showCheck({ name, comparison: { tail } }: StoredCheck): CheckQuality {
  const { checks } = tail;
  return {
    series: name,
    source: tail.source,
    crossCheckSource: checks.source,
    checkedThrough: checks.checkedThrough,
    comparedDayCount: checks.comparedDayCount,
    agreementPct: checks.agreementPct,
    recentAgreementPct: tail.recentAgreementPct,
    openDisputeCount: tail.disputedDayCount,
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
