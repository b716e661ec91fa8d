/** A Metrics API with two chains that publishes, restates and withdraws days at random, and a service that reads it. */
import {
  METRICS,
  type StoredMetric,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "../../../services/chain_data/overview/deps.ts";
import type { DailyValue } from "../../../services/chain_data/series/series.ts";
import { refreshSeries } from "../../../services/chain_data/series/series_reader.ts";
import {
  type MetricsSeriesId,
  nameSeries,
} from "../../../services/chain_data/catalogue/series_id.ts";
import { jobCallOptions } from "../../../services/platform/cache/read_through.ts";
import { shareWork } from "../../../services/platform/cache/shared_work.ts";
import {
  DAY_MS,
  dayAt,
  HOUR_MS,
  parseDay,
} from "../../../services/platform/days.ts";
import { openStores } from "../../../services/stores.ts";

/** The chain whose series are asked for; the other one is the C-Chain. */
export const CHAIN = 53935;

const C_CHAIN = 43114;

/** The first published day. Histories cross a year. */
const FIRST_DAY = parseDay("2026-12-18");

/** Days that are published at the start. */
const START_DAYS = 9;

/** The world of a history. */
export interface RevisingWorld extends Disposable {
  readonly deps: Pick<
    ChainDataDeps,
    "log" | "now" | "share" | "store" | "upstream"
  >;
  /** Does something at random: lets time pass, changes what upstream answers, or reads it. */
  act(): Promise<void>;
  /** Lets time pass. */
  advance(byMs: number): void;
}

/** Opens a world whose service has read every series once. */
export async function openRevisingWorld(
  random: () => number,
  metric: StoredMetric,
): Promise<RevisingWorld> {
  const kv = await Deno.openKv(":memory:");
  let ms = (FIRST_DAY + START_DAYS) * DAY_MS + Math.floor(random() * DAY_MS);
  const now = () => new Date(ms);
  const ids: MetricsSeriesId[] = [
    { subject: C_CHAIN, metric: "txCount" },
    { subject: CHAIN, metric: "txCount" },
    { subject: CHAIN, metric },
  ];
  const published = new Map(
    ids.map((id) => [nameSeries(id), new Map<number, number>()]),
  );
  const pick = <T>(items: readonly T[]) =>
    items[Math.floor(random() * items.length)]!;
  const below = (most: number) => Math.floor(random() * most);
  /** Days that upstream took back. */
  const gone: { id: MetricsSeriesId; day: number }[] = [];
  /** Small values, so that days are often 0 and values often return. */
  const value = () => random() < 0.2 ? 0 : 1 + below(40);

  const source = "simulated";
  const baseUrl = "http://metrics.test";
  const metrics = {
    baseUrl,
    source,
    listChains: () =>
      Promise.resolve({
        body: [C_CHAIN, CHAIN].map((chainId) => ({
          chainId,
          chainName: `Chain ${chainId}`,
          blockchainId: "b",
          subnetId: "s",
        })),
        simulated: true,
        source,
      }),
    readDaily(id: MetricsSeriesId, { fromDay = 0 }: { fromDay?: number }) {
      let body: DailyValue[] = Array.from(
        published.get(nameSeries(id))!,
        ([day, value]) => ({ day, value }),
      );
      if (
        typeof id.subject === "number" &&
        METRICS[id.metric].kind === "running total"
      ) {
        // A total that falls is not believed, so each day adds to the one before.
        let total = 0;
        body.sort((a, b) => a.day - b.day);
        body = body.map(({ day, value }) => ({ day, value: total += value }));
      }
      body = body.filter(({ day }) => day >= fromDay);
      return Promise.resolve({ body, simulated: true, source });
    },
  };
  const deps = {
    log() {},
    now,
    share: shareWork(now),
    store: openStores(kv),
    upstream: { metrics, explorer: { baseUrl: "http://explorer.test" } },
  } as unknown as RevisingWorld["deps"];

  const read = (id: MetricsSeriesId) =>
    refreshSeries(deps, id, { ...jobCallOptions(), isWhole: random() < 0.3 });

  /** Publishes the days of a series up to yesterday, today or tomorrow. */
  function publish(id: MetricsSeriesId): void {
    const days = published.get(nameSeries(id))!;
    const newest = Math.max(FIRST_DAY - 1, ...days.keys());
    const isQuiet = id.subject === CHAIN && random() < 0.3;
    for (let day = newest + 1; day < dayAt(ms) + below(3); day++) {
      if (random() < 0.05) continue;
      days.set(day, isQuiet ? 0 : value());
    }
  }

  /** Changes what upstream answers for a day: its newest, a recent one, or any. */
  function change(id: MetricsSeriesId): void {
    const days = published.get(nameSeries(id))!;
    const newest = Math.max(FIRST_DAY, ...days.keys());
    const day = newest - pick([0, 0, 1, below(8), below(30)]);
    if (day < FIRST_DAY) return;
    const kind = random();
    if (kind < 0.2) {
      days.delete(day);
      gone.push({ id, day });
    } else days.set(day, kind < 0.4 ? 0 : value());
  }

  const acts: (() => void | Promise<void>)[] = [
    () => {
      ms += pick([1, HOUR_MS, 3 * HOUR_MS, DAY_MS, 9 * DAY_MS]) +
        below(HOUR_MS);
    },
    () => publish(pick(ids)),
    () => ids.forEach(publish),
    () => change(pick(ids)),
    () => {
      for (const { id, day } of gone.splice(0)) {
        published.get(nameSeries(id))!.set(day, value());
      }
    },
    () => read(pick(ids)),
    async () => {
      for (const id of ids) await read(id);
    },
    // Three reads over two hours accept what upstream withdraws.
    async () => {
      const id = pick(ids);
      for (let nth = 0; nth < 3; nth++) {
        await read(id);
        ms += HOUR_MS + below(HOUR_MS);
      }
    },
  ];
  ids.forEach(publish);
  for (const id of ids) await read(id);
  return {
    deps,
    act: async () => await pick(acts)(),
    advance: (byMs) => ms += byMs,
    [Symbol.dispose]: () => kv.close(),
  };
}
