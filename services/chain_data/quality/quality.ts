/** How good the data are: how current each source is, and what checks found. */
import { readChainQuality } from "./chain_quality.ts";
import { C_CHAIN } from "../metrics_schema.ts";
import {
  type CheckQuality,
  IDENTITY_LIST,
  type QualityAnswer,
  type SourceQuality,
} from "./quality_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../deps.ts";
import { compareStoredSeries, type StoredCheck } from "../checks/disputes.ts";
import { EXPLORER_METRICS } from "../series/series_id.ts";
import { findExplorerSeries } from "../checks/explorer_series.ts";
import { originOf } from "../../platform/http/origin.ts";
import { findSeries } from "../series/series_reader.ts";

type QualityDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** Reads the state of sources, checks and self-identities from the store alone. */
export async function readQuality(
  deps: QualityDeps,
): Promise<CacheableAnswer<QualityAnswer>> {
  const checks = await listChecks(deps);
  const answer: QualityAnswer = {
    sources: await listSources(deps),
    checks,
    identities: [...IDENTITY_LIST],
    chains: await readChainQuality(deps),
  };
  // Lags grow by themselves: no date tells when the answer changed.
  return { answer, fetchedAt: deps.now().getTime(), changedAt: null };
}

/** Lists how far the sources of each checked series agree, from the store alone. */
export async function listChecks(deps: QualityDeps): Promise<CheckQuality[]> {
  return (await compareStoredSeries(deps)).map(showCheck);
}

/** Lists how current each source is, from the store alone. */
export async function listSources(
  deps: QualityDeps,
): Promise<SourceQuality[]> {
  const { now, store, upstream } = deps;
  const { metrics, explorer, cChain, platformChain } = upstream;
  const [series, index, samples, snapshots] = await Promise.all([
    findSeries(deps, { subject: C_CHAIN, metric: "txCount" }),
    findIndexLastRead(deps),
    store.blockSamples.list(),
    store.validatorDays.list(),
  ]);
  const show = (
    { source, url, serves, at }:
      & Omit<SourceQuality, "lastSuccessAt" | "lagHours">
      & {
        at: number | undefined;
      },
  ): SourceQuality => ({
    source,
    url,
    serves,
    lastSuccessAt: at === undefined ? null : new Date(at).toISOString(),
    lagHours: at === undefined ? null : hoursSince(at, now().getTime()),
  });
  return [
    show({
      source: series?.source ?? metrics.source,
      url: originOf(metrics.baseUrl),
      serves: "daily series of every chain",
      at: series?.fetchedAt,
    }),
    show({
      source: index?.source ?? explorer.source,
      url: originOf(explorer.baseUrl),
      serves: "second source of transactions and fees; blocks a day",
      at: index?.fetchedAt,
    }),
    show({
      source: samples.at(-1)?.source ?? cChain.source,
      url: originOf(cChain.url),
      serves: "first blocks of days",
      at: newest(samples),
    }),
    show({
      source: snapshots.at(-1)?.source ?? platformChain.source,
      url: originOf(platformChain.baseUrl),
      serves: "validator sets",
      at: newest(snapshots),
    }),
  ];
}

/** Finds the series of the explorer index that was read last. */
async function findIndexLastRead(deps: QualityDeps) {
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

function newest(taken: readonly { takenAt: number }[]): number | undefined {
  return taken.length === 0
    ? undefined
    : Math.max(...taken.map(({ takenAt }) => takenAt));
}

function hoursSince(at: number, now: number): number {
  return Math.max(0, Math.round((now - at) / 360_000) / 10);
}
