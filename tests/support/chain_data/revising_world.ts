/** A Metrics API with two chains that publishes, restates and withdraws days at random, and a service that reads it. */
import {
  METRICS,
  type StoredMetric,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "../../../services/chain_data/checks/deps.ts";
import type { DailyValue } from "../../../services/chain_data/series/series.ts";
import { refreshSeries } from "../../../services/chain_data/series/series_reader.ts";
import {
  type MetricsSeriesId,
  nameSeries,
} from "../../../services/chain_data/catalogue/series_id.ts";
import { jobCallOptions } from "../../../services/platform/rate_limit/call_budget.ts";
import { shareWork } from "../../../services/platform/cache.ts";
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

type WorldDeps = Pick<
  ChainDataDeps,
  "log" | "now" | "runningJobs" | "share" | "sleep" | "store" | "upstream"
>;

/** The world of a history. */
export interface RevisingWorld extends AsyncDisposable {
  /** The first process. */
  readonly deps: WorldDeps;
  /** Every process, each with its clock. */
  readonly processes: readonly WorldDeps[];
  /** Does something at random: lets time pass, changes what upstream answers, or reads it. */
  act(): Promise<void>;
  /** Lets time pass. */
  advance(byMs: number): void;
}

/**
 * Opens a world whose service has read every series once. `skewsMs` says by how much the
 * clock of each process is ahead. Of several processes, reads overlap.
 */
export async function openRevisingWorld(
  random: () => number,
  metric: StoredMetric,
  skewsMs: readonly number[] = [0],
): Promise<RevisingWorld> {
  const kv = await Deno.openKv(":memory:");
  let ms = (FIRST_DAY + START_DAYS) * DAY_MS + Math.floor(random() * DAY_MS);
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
    baseUrlOf: () => baseUrl,
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
  const processes = skewsMs.map((skewMs) => {
    const now = () => new Date(ms + skewMs);
    return {
      log() {},
      now,
      share: shareWork(now),
      store: openStores(kv),
      upstream: {
        metrics,
        explorer: { baseUrl: "http://explorer.test" },
        chainNodes: new Map(),
      },
    } as unknown as WorldDeps;
  });
  const deps = processes[0]!;
  const anyProcess = () => processes.length > 1 ? pick(processes) : deps;

  async function read(
    id: MetricsSeriesId,
    by = anyProcess(),
  ): Promise<void> {
    const isWhole = random() < 0.3;
    await refreshSeries(by, id, { ...jobCallOptions(), isWhole });
    // A process does not read a series twice in a millisecond.
    if (processes.length === 1) ms++;
  }

  /** Reads whose answers are on their way, each with what lets its answer arrive. */
  const underWay: { arrive: () => void; read: Promise<unknown> }[] = [];

  /** Begins a read; its answer arrives later. */
  function beginRead(): void {
    const by = anyProcess();
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
    const late: typeof metrics = {
      ...metrics,
      async readDaily(...args) {
        const answer = await metrics.readDaily(...args);
        await arrival;
        return answer;
      },
    };
    const upstream = { ...by.upstream, metrics: late } as never;
    underWay.push({ arrive, read: read(pick(ids), { ...by, upstream }) });
  }

  /** Ends one or two reads at once. */
  async function endReads(): Promise<void> {
    const ended = Array.from(
      { length: 1 + below(2) },
      () => underWay.splice(below(underWay.length), 1),
    ).flat();
    for (const { arrive } of ended) arrive();
    await Promise.all(ended.map(({ read }) => read));
  }

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
  if (processes.length > 1) {
    const wait = () => void (ms += pick([1, 10, 1_000, 3_000]));
    acts.push(wait, beginRead, wait, endReads, wait, beginRead, wait, endReads);
  }
  ids.forEach(publish);
  for (const id of ids) await read(id);
  return {
    deps,
    processes,
    act: async () => await pick(acts)(),
    advance: (byMs) => ms += byMs,
    async [Symbol.asyncDispose]() {
      for (const { arrive } of underWay) arrive();
      await Promise.allSettled(underWay.map(({ read }) => read));
      kv.close();
    },
  };
}
