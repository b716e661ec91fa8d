/** Reads the overview of the newest release, or computes it from the stored series. */
import { dayAt } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import type { Chain } from "../chain_data/catalogue/chains_schema.ts";
import { listUntracked } from "../chain_data/catalogue/listed_chains.ts";
import {
  proofOfChain,
  readCoverage,
  readCoverageOf,
} from "../chain_data/checks/coverage.ts";
import type { SeriesCheck } from "../chain_data/catalogue/fields_schema.ts";
import { type DownloadsDeps, findRelease, readDocument } from "./downloads.ts";
import { CHAINS_OVERVIEW } from "./downloads_schema.ts";
import type { Release } from "./downloads_store.ts";
import { findPublication } from "../chain_data/series/series_reader.ts";
import {
  type OverviewMoment,
  overviewOf,
  type ReadChain,
  type Standing,
  standingOf,
} from "../chain_data/overview/overview.ts";
import type { Overview } from "../chain_data/overview/overview_schema.ts";

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
    read.push(await readCoverageOf(deps, chain, moment.publishedDay));
  }
  return overviewOf(read, moment);
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
 * Reads the overview of the newest release, with the coverage and the proof of each chain
 * as they are now. Before the first release it is computed from the series that are
 * stored so far.
 */
export async function readOverview(deps: OverviewDeps): Promise<ReadOverview> {
  const covered = await readCoverage(deps);
  const checks = new Map(
    covered.flatMap(({ chain, check }) =>
      check === null ? [] : [[chain.chainId, check]]
    ),
  );
  const release = await findRelease(deps);
  const released = release && await findReleased(deps);
  if (released === null) {
    const publication = await findPublication(deps);
    const overview = overviewOf(covered, {
      publishedDay: publication?.newestDay ?? null,
      today: dayAt(deps.now().getTime()),
    });
    return { overview, release: null, checks };
  }
  const now = new Map(
    covered.map(({ chain, coverage: { state, since }, check }) => [
      chain.chainId,
      { state, since, ...proofOfChain(check) },
    ]),
  );
  const chains = released.chains.map((chain) => ({
    ...chain,
    ...now.get(chain.chainId) ?? UNTRACKED,
  }));
  const untracked = listUntracked(covered.map(({ chain }) => chain));
  return { overview: { ...released, chains, untracked }, release, checks };
}

/** Reads where a chain stands in the overview of all chains. */
export async function readStanding(
  deps: OverviewDeps,
  chainId: number,
): Promise<Standing> {
  return standingOf((await readOverview(deps)).overview, chainId);
}

/** A chain of a release that is no longer tracked. */
const UNTRACKED = {
  state: "unread",
  since: null,
  ...proofOfChain(null),
} as const;

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
