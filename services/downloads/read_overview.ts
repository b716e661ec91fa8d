/** Reads the overview of the newest release, or computes it from the stored series. */
import { dayAt, parseDay } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import { ofUpstream } from "../platform/http/source_names.ts";
import type { Chain } from "../chain_data/catalogue/chains_schema.ts";
import { compareStored } from "../chain_data/checks/disputes.ts";
import type { SeriesCheck } from "../chain_data/catalogue/answer_fields_schema.ts";
import { readStoredCheck } from "../chain_data/checks/index_checks.ts";
import type { DownloadsDeps } from "./deps.ts";
import { CHAINS_OVERVIEW } from "./downloads_schema.ts";
import { findRelease, readDocument } from "./downloads.ts";
import type { Release } from "./downloads_store.ts";
import { C_CHAIN } from "../chain_data/catalogue/metrics_schema.ts";
import {
  type MetricsSeriesId,
  nameSeries,
} from "../chain_data/catalogue/series_id.ts";
import {
  findPublication,
  findSeries,
  findTxCount,
} from "../chain_data/series/series_reader.ts";
import {
  type OverviewMoment,
  overviewOf,
  type ReadChain,
  stateOf,
} from "../chain_data/overview/overview.ts";
import type {
  ChainSummary,
  Overview,
} from "../chain_data/overview/overview_schema.ts";

type OverviewDeps = Pick<DownloadsDeps, "now" | "store" | "upstream">;

/** Calculates the overview from the stored series. It calls no upstream. */
export async function makeOverview(
  deps: OverviewDeps,
  chains: readonly Chain[],
  moment: OverviewMoment,
): Promise<Overview> {
  const read: ReadChain[] = [];
  // Sequential: other requests run while this one waits for the store.
  for (const chain of chains) {
    read.push({
      chain,
      series: await findTxCount(deps, chain.chainId),
      disputedDays: await findDisputedDays(deps, chain.chainId),
    });
  }
  return overviewOf(read, moment);
}

/** Finds the days on which a second source now disagrees with a chain's transactions. */
export async function findDisputedDays(
  deps: OverviewDeps,
  chainId: number,
): Promise<ReadonlySet<number>> {
  if (chainId !== C_CHAIN) return new Set();
  const check = await compareStored(deps, "transactions");
  const disputes = check?.comparison.tail.checks.disputedDays ?? [];
  return new Set(disputes.map(({ day }) => parseDay(day)));
}

/** An overview, and the release that it belongs to. */
interface ReadOverview {
  readonly overview: Overview;
  /** Null before the first release. */
  readonly release: Release | null;
  /** How the transactions of each read chain compare with a second source, by chain id. */
  readonly checks: ReadonlyMap<number, SeriesCheck>;
}

/**
 * Reads the overview of the newest release, with the chains that are disputed
 * now. Before the first release it is computed from the series that are stored
 * so far.
 */
export async function readOverview(deps: OverviewDeps): Promise<ReadOverview> {
  const read = await readChains(deps);
  const checks = new Map<number, SeriesCheck>();
  // Sequential: other requests run while this one waits for the store.
  for (const { chainId } of read.overview.chains) {
    const check = await readStoredCheck(deps, { chainId, metric: "txCount" });
    if (check !== null) checks.set(chainId, check);
  }
  return { ...read, checks };
}

async function readChains(
  deps: OverviewDeps,
): Promise<Omit<ReadOverview, "checks">> {
  const release = await findRelease(deps);
  const released = release && await findReleased(deps);
  if (released !== null) {
    return { overview: await withDisputes(deps, released, release!), release };
  }
  const list = ofUpstream(
    deps.upstream.metrics,
    await deps.store.chains.find(),
  );
  const publication = await findPublication(deps);
  const overview = await makeOverview(deps, list?.chains ?? [], {
    publishedDay: publication?.newestDay ?? null,
    today: dayAt(deps.now().getTime()),
  });
  return { overview, release: null };
}

/**
 * Returns a released overview with the current states of the chains whose
 * series is disputed, or was when the overview was released.
 */
async function withDisputes(
  deps: OverviewDeps,
  overview: Overview,
  { newestDay: publishedDay }: Release,
): Promise<Overview> {
  // Withdrawn days are recorded as a failure too, so one list finds their series.
  const failures = await deps.store.series.listFailures();
  const chains: ChainSummary[] = [];
  for (const chain of overview.chains) {
    const id = txCountOf(chain);
    const mayDiffer = chain.chainId === C_CHAIN ||
      chain.state === "disputed" || failures.has(nameSeries(id));
    const stored = mayDiffer ? await findSeries(deps, id) : null;
    chains.push(
      stored === null ? chain : {
        ...chain,
        state: stateOf(stored.series, {
          publishedDay,
          disputedDays: await findDisputedDays(deps, chain.chainId),
        }),
      },
    );
  }
  return { ...overview, chains };
}

function txCountOf(
  { chainId: subject }: Pick<Chain, "chainId">,
): MetricsSeriesId {
  return { subject, metric: "txCount" };
}

/** Finds the overview of the newest release; null if the release was built without one. */
async function findReleased(deps: OverviewDeps): Promise<Overview | null> {
  try {
    const { answer } = await readDocument(deps, CHAINS_OVERVIEW);
    return JSON.parse(answer);
  } catch (error) {
    const isMissing = error instanceof Fault &&
      error.failure.kind === "unknownFile";
    if (!isMissing) throw error;
    return null;
  }
}
