/** Writes series into the store, as if they had just been fetched. */
import type { Deps } from "../../services/deps.ts";
import { parseDay } from "../../services/platform/days.ts";
import {
  type DailySeries,
  seriesOf,
} from "../../services/chain_data/series/series.ts";
import {
  listRevisions,
  type Revision,
} from "../../services/chain_data/series/revision_log.ts";
import {
  isOfIndex,
  type SeriesId,
} from "../../services/chain_data/catalogue/series_id.ts";
import { restart } from "./app.ts";

/** Lists the revisions of a stored series. */
export async function revisionsOf(
  { store }: Pick<Deps, "store">,
  id: SeriesId,
): Promise<Revision[]> {
  return listRevisions((await store.series.find(id))!);
}

/** Values by day from a first day on; null is an absent day. */
export interface Days {
  readonly from: string;
  readonly values: readonly (number | null)[];
}

/** Builds a series from one value per day; null is an absent day. */
export function seriesFrom(
  first: number,
  values: readonly (number | null)[],
): DailySeries {
  return seriesOf(
    values.flatMap((value, nth) =>
      value === null ? [] : [{ day: first + nth, value }]
    ),
  );
}

/** Puts a series in the place of the stored one, in the name of its upstream, as another process does. */
export async function putSeries(
  deps: Pick<Deps, "store" | "upstream" | "now">,
  id: SeriesId,
  { from, values }: Days,
): Promise<void> {
  restart(deps);
  const { store, upstream: { metrics, explorer }, now } = deps;
  const { baseUrl, source } = isOfIndex(id) ? explorer : metrics;
  const readAt = now().getTime();
  await store.series.replace(id, {
    series: seriesFrom(parseDay(from), values),
    fetchedAt: readAt,
    wholeAt: readAt,
    changedAt: readAt,
    origin: baseUrl,
    source,
    versionstamp: (await store.series.find(id))?.versionstamp ?? null,
  });
}
