/** Job: fetches the explorer series, the second source of every chain, and asks the nodes of idle ones. */
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/checks/deps.ts";
import { Fault } from "../services/platform/fault.ts";
import {
  EXPLORER_METRICS,
  indexSeriesId,
  nodeSeriesId,
} from "../services/chain_data/catalogue/series_id.ts";
import {
  fetchIndexSeries,
  fetchNewDays,
  isIndexed,
  recheckDays,
} from "../services/chain_data/checks/explorer_series.ts";
import { listDueReads } from "../services/chain_data/checks/index_checks.ts";
import { C_CHAIN } from "../services/chain_data/catalogue/metrics_schema.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  type CallOptions,
  jobCallOptions,
} from "../services/platform/rate_limit/call_budget.ts";
import { dayAt } from "../services/platform/days.ts";
import { ofUpstream } from "../services/platform/http/upstream_answer.ts";
import {
  CUT_DAYS,
  inferableThrough,
  lastActiveDay,
  QUIET_DAYS,
} from "../services/chain_data/series/inferred_days.ts";
import {
  findPublication,
  findTxCount,
} from "../services/chain_data/series/series_reader.ts";
import { mergeRead } from "../services/chain_data/series/stored_series.ts";

/**
 * Fetches new days of every explorer series and rechecks a part of the old ones.
 * If a series fails, the run continues with the others and fails at its end.
 */
export async function crossCheck(
  deps: ChainDataDeps,
  { proceed }: RunContext,
): Promise<string> {
  let checked = 0;
  let fault: Fault | null = null;
  for (const metric of EXPLORER_METRICS) {
    try {
      for (const fetchSome of [fetchNewDays, recheckDays]) {
        if (!await proceed()) return `stopped after ${checked} series`;
        // The calls of an item share one timeout, so that its lease outlasts it.
        const options = jobCallOptions();
        await fetchSome(deps, metric, () => options);
      }
      checked++;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fault ??= error;
    }
  }
  const chains = await readChains(deps, proceed);
  const nodes = await askNodes(deps, proceed);
  await recordDisputes(deps);
  fault ??= chains.fault;
  if (fault) throw fault;
  return [`${checked} series checked`, chains.words, nodes]
    .filter((words) => words !== "").join(", ");
}

/** Asks the own node of each chain that every other source shows idle, once a day. */
async function askNodes(
  deps: ChainDataDeps,
  proceed: RunContext["proceed"],
): Promise<string> {
  let active = 0;
  let failed = 0;
  const idle = await listIdleChains(deps);
  for (const chain of idle) {
    if (!await proceed()) break;
    try {
      if (await askOwnNode(deps, chain, jobCallOptions())) active++;
    } catch (error) {
      // Each is another host, so the others are asked.
      if (!(error instanceof Fault)) throw error;
      failed++;
    }
  }
  return idle.length === 0
    ? ""
    : `${active} of ${idle.length} idle chains active at their nodes` +
      (failed === 0 ? "" : `, ${failed} nodes failed`);
}

/** Failures in a row after which the index counts as down. */
const MAX_FAILURES = 3;

/**
 * Reads every chain from the index that was not read today, one call a metric. Of a
 * chain without traffic there only the transactions are asked for.
 */
async function readChains(
  deps: ChainDataDeps,
  proceed: RunContext["proceed"],
): Promise<{ readonly words: string; readonly fault: Fault | null }> {
  let read = 0;
  let failed = 0;
  let failedInRow = 0;
  const wordsOf = (rest = "") =>
    read + failed === 0 ? "" : `${read} series of chains read` +
      (failed === 0 ? "" : `, ${failed} failed`) + rest;
  for (const { chainId, metrics } of await listDueReads(deps)) {
    for (const metric of metrics) {
      if (metric !== "txCount" && !await hasTraffic(deps, chainId)) break;
      if (!await proceed()) return { words: wordsOf(", stopped"), fault: null };
      try {
        await fetchIndexSeries(deps, chainId, metric, jobCallOptions());
        read++;
        failedInRow = 0;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        failed++;
        failedInRow++;
        if (failedInRow === MAX_FAILURES) return { words: "", fault: error };
      }
    }
  }
  return { words: wordsOf(), fault: null };
}

async function hasTraffic(
  { store }: ChainDataDeps,
  chainId: number,
): Promise<boolean> {
  if (chainId === C_CHAIN) return true;
  const stored = await store.series.find(indexSeriesId(chainId, "txCount"));
  return stored !== null && isIndexed(stored.series);
}

type NodeDeps = Pick<ChainDataDeps, "now" | "store" | "upstream">;

/** A chain whose newest days are zeroes, and the days of which a block would show that they are not. */
interface IdleChain {
  readonly chainId: number;
  readonly from: number;
  readonly through: number;
}

/**
 * Lists the chains whose node is to be asked today: those that no source has shown active
 * since a day before the newest inferred one. A chain that was never active is asked for
 * the newest week.
 */
async function listIdleChains(deps: NodeDeps): Promise<IdleChain[]> {
  const { now, store, upstream: { chainNodes } } = deps;
  const publication = await findPublication(deps);
  if (publication === null) return [];
  const through = inferableThrough(publication.newestDay);
  const idle: IdleChain[] = [];
  for (const [chainId, node] of chainNodes) {
    const [asked] = await store.series.listStates(
      [nodeSeriesId(chainId)],
      () => node.baseUrl,
    );
    const isAsked = asked && dayAt(asked.fetchedAt) >= dayAt(now().getTime());
    const txCount = await findTxCount(deps, chainId);
    if (isAsked || txCount === null || chainId === C_CHAIN) continue;
    const last = lastActiveDay(txCount) ?? through - QUIET_DAYS - CUT_DAYS;
    const from = last + CUT_DAYS + 1;
    const isIdle = txCount.activeElsewhere === undefined && from <= through;
    if (isIdle) idle.push({ chainId, from, through });
  }
  return idle;
}

/**
 * Asks a chain's node for the first block of days that are zeroes elsewhere, and stores
 * its day if it has transactions: then nothing is inferred. Returns whether it has.
 */
async function askOwnNode(
  { now, store, upstream }: NodeDeps,
  { chainId, from, through }: IdleChain,
  options: CallOptions,
): Promise<boolean> {
  const node = upstream.chainNodes.get(chainId)!;
  const id = nodeSeriesId(chainId);
  const { body: first, source } = await node.readFirstActivity(from, options);
  const isActive = first !== null && first.day <= through && first.value > 0;
  const fetchedAt = now().getTime();
  await store.series.update(id, (stored) => {
    const merged = mergeRead(id, ofUpstream(node, stored), {
      body: isActive ? [first] : [],
      days: isActive
        ? { start: first.day, end: first.day }
        : { start: Infinity, end: -Infinity },
      fetchedAt,
      wholeAt: fetchedAt,
      origin: node.baseUrl,
      source,
    });
    return { ...merged, changedAt: merged.changedAt ?? fetchedAt };
  }, { at: fetchedAt });
  return isActive;
}
