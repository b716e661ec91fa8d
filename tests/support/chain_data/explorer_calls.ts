/** Calls of the explorer index, and the series stored from them. */
import type { Deps } from "../../../services/deps.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import {
  EXPLORER_METRICS,
  type ExplorerMetric,
} from "../../../services/chain_data/catalogue/series_id.ts";
import type { ExplorerIndex } from "../../../services/chain_data/checks/explorer_client.ts";
import type { TestDeps } from "../deps.ts";

/** The days that a call requested, both included. */
interface RequestedDays {
  readonly action: string;
  readonly from: number;
  readonly to: number;
}

/** Takes the calls of the explorer index since the last time. */
export function takeCalls({ upstreams }: TestDeps): RequestedDays[] {
  return upstreams.explorer.calls.splice(0).map(({ path }) => {
    const params = new URL(path, "http://explorer.test").searchParams;
    const day = (name: string) => parseDay(params.get(name)!);
    return {
      action: params.get("action")!,
      from: day("startdate"),
      to: day("enddate"),
    };
  });
}

/** Writes a call for comparison. */
export const show = ({ action, from, to }: RequestedDays) =>
  `${action} ${formatDay(from)} ${formatDay(to)}`;

/** Finds a stored explorer series. */
export async function findIndex({ store }: Deps, metric: ExplorerMetric) {
  return (await store.series.find({ subject: "explorer-index", metric }))!;
}

/** Reads the stored explorer series without the times of their fetches. */
export async function readStored(deps: Deps) {
  return await Promise.all(EXPLORER_METRICS.map(async (metric) => {
    const { series, changedAt, origin, source } = await findIndex(deps, metric);
    return { metric, series, changedAt, origin, source };
  }));
}

/** Returns dependencies with another `readDaily` of the explorer index. */
export function withIndex<Some extends Deps>(
  deps: Some,
  readDaily: ExplorerIndex["readDaily"],
): Some {
  const explorer = { ...deps.upstream.explorer, readDaily };
  return { ...deps, upstream: { ...deps.upstream, explorer } };
}

/** Returns the maximum number of explorer calls within any period of a length. */
export function maxWithin(deps: TestDeps, perMs: number): number {
  const instants = deps.upstreams.explorer.calls.map(({ at }) => at);
  return Math.max(
    ...instants.map((from) =>
      instants.filter((at) => at >= from && at < from + perMs).length
    ),
  );
}
