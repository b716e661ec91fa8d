/** How current answers are, and what that costs: a day on a virtual clock. */
import {
  DAY_MS,
  dayAt,
  formatDay,
  HOUR_MS,
} from "../../services/platform/days.ts";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { listChains } from "../../simnet/chains.ts";
import { ANOMALY_CHAIN_IDS } from "../../simnet/series/anomalies.ts";
import { simulateUpstreams } from "../../simnet/upstreams.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import {
  type FreshAnswer,
  freshService,
  mixedPaths,
} from "../../tests/support/fresh_service.ts";
import {
  EXPLORER_CALLS,
  NODE_CALLS,
} from "../../services/platform/rate_limit/upstream_limits.ts";
import type { UpstreamName } from "../../simnet/upstreams.ts";
import { CHECKING, openWorld, type World } from "./virtual_world.ts";

const MINUTE_MS = 60_000;

/** The measured day. The database is filled on the evening before. */
const DAY = Date.parse("2026-11-21T00:00:00Z");

/** When upstream publishes: the canary, and up to four hours later every fifth chain. */
const PUBLISHES_AT_MS = 3 * HOUR_MS + 7 * MINUTE_MS;
const MAX_LATE_MS = 4 * HOUR_MS;
const LATE_EVERY = 5;

/** No answer may lack a complete day that was published longer ago. */
const MAX_LACK_MS = 80 * MINUTE_MS;

/** Networks that ask for every series within one hour. */
const ANALYSTS = 10;

/**
 * The same day with 200 chains on the previous version, which read each series again an
 * hour after its last read (recorded on 2026-11-22).
 */
const BY_AGE = {
  calls: 9_599,
  inAMinute: 55,
  refused: 5_152,
  answers: 17_806,
  refusedAnalysts: 8_184,
  waitedFor: 3_925,
};

/** A request for a series: what a client holds until its `max-age` ends. */
interface Held {
  readonly chainId: number;
  readonly metric: string;
  readonly completeDays: ReadonlySet<string>;
}

/** Measures the calls of a day, the duration of the sweep, and what answers lack. */
export async function measureFreshness(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const chains = short ? 40 : 200;
  const ids = listChains(chains).map(({ evmChainId }) => evmChainId);
  const lateBy = (chainId: number) => {
    const nth = ids.indexOf(chainId);
    return nth === 0 || nth % LATE_EVERY > 0 ? 0 : MAX_LATE_MS * nth / chains;
  };
  const options = { chains, publishesAtMs: PUBLISHES_AT_MS, lateBy };
  await using world = await openWorld(DAY - 6 * HOUR_MS, options);
  await world.runUntil(DAY);

  const published = publishedBefore(world, options);
  const counts = { checked: 0, lacking: 0, refused: 0 };
  const check = async (held: Held) => {
    counts.checked++;
    const days = await published(held);
    if (!days.every((day) => held.completeDays.has(day))) counts.lacking++;
  };
  const series = ids.flatMap((chainId) =>
    STORED_METRICS.map((metric) => ({ chainId, metric }))
  ).filter(({ chainId, metric }) => !isMissing(chainId, metric));
  for (const [nth, { chainId, metric }] of series.entries()) {
    const publishedAt = DAY + PUBLISHES_AT_MS + lateBy(chainId);
    // Before, during and after the sweep, so that caches hold answers of each time.
    for (const minutes of [-nth % 10, nth % 60, 79 + nth % 2, 80]) {
      world.at(publishedAt + minutes * MINUTE_MS, async () => {
        const path = `${PATH}?chainId=${chainId}&metric=${metric}&range=30d`;
        const { status, held, maxAgeMs } = await readHeld(world, path, {
          chainId,
          metric,
        });
        if (status !== 200) return void counts.refused++;
        await check(held);
        world.at(world.now() + maxAgeMs, () => check(held));
      });
    }
  }
  const analysts = { answers: 0, refused: 0 };
  const from = DAY + 14 * HOUR_MS;
  const requests = ANALYSTS * series.length;
  for (let nth = 0; nth < requests; nth++) {
    const { chainId, metric } = series[Math.floor(nth / ANALYSTS)]!;
    const network = `192.0.2.${1 + nth % ANALYSTS}`;
    world.at(from + nth / requests * HOUR_MS, async () => {
      const path = `${PATH}?chainId=${chainId}&metric=${metric}&range=all`;
      const response = await world.ask(path, network);
      await response.body?.cancel();
      if (response.status === 200) analysts.answers++;
      else analysts.refused++;
    });
  }
  await world.runUntil(DAY + DAY_MS);

  const ofDay = world.calls.filter(({ at }) => at >= DAY);
  const staking = ofDay.filter(({ path }) => path.includes("/v2/networks/"));
  const { sweep } = await world.deps.store.publications.findAll();
  const states = await world.deps.store.series.listStates(
    series.map(({ chainId, metric }) => ({ subject: chainId, metric })),
    world.deps.upstream.metrics.baseUrlOf,
  );
  const delays = states.map((state, nth) =>
    (state!.newestAt! - DAY - PUBLISHES_AT_MS - lateBy(series[nth]!.chainId)) /
    MINUTE_MS
  ).toSorted((a, b) => a - b);
  const peers = short ? null : BY_AGE;
  return [
    {
      peer: peers?.calls ?? null,
      name: `freshness, upstream calls a day for ${chains} chains`,
      value: ofDay.length,
      unit: "calls",
      target: { of: "value", is: "<=", than: 5_000 },
    },
    {
      peer: peers?.inAMinute ?? null,
      name: "freshness, calls in a minute",
      value: mostWithin(MINUTE_MS, ofDay.map(({ at }) => at)),
      unit: "calls",
      target: { of: "value", is: "<=", than: 70 },
    },
    {
      peer: null,
      name: `freshness, sweep of ${chains * STORED_METRICS.length + 4} series`,
      value: (sweep!.finishedAt - sweep!.publishedAt) / MINUTE_MS,
      unit: "minutes",
      target: { of: "value", is: "<=", than: 60 },
    },
    ...[[50, 30], [95, 80]].map(([percentile, minutes]) => ({
      peer: null,
      name: `freshness, from publication to answer, p${percentile}`,
      value: percentileOf(delays, percentile!),
      unit: "minutes",
      target: { of: "value", is: "<=", than: minutes! } as const,
    })),
    {
      peer: null,
      name: `freshness, of ${counts.checked} answers, lacking a day`,
      value: counts.lacking,
      unit: "answers",
      target: { of: "value", is: "=", than: 0 },
    },
    {
      peer: peers?.refused ?? null,
      name: "freshness, of the same requests, refused",
      value: counts.refused,
      unit: "answers",
      target: { of: "value", is: "=", than: 0 },
    },
    {
      peer: peers?.answers ?? null,
      name: `freshness, ${ANALYSTS} analysts in an hour, answers`,
      value: analysts.answers,
      unit: "answers",
      target: { of: "value", is: "=", than: requests },
    },
    {
      name: `freshness, ${ANALYSTS} analysts, refusals`,
      value: analysts.refused,
      unit: "answers",
      peer: peers?.refusedAnalysts ?? null,
      target: { of: "value", is: "=", than: 0 },
    },
    {
      peer: peers?.waitedFor ?? null,
      name: "freshness, upstream calls that a request waited for",
      value: ofDay.filter(({ isOfRequest }) => isOfRequest).length,
      unit: "calls",
      target: { of: "value", is: "=", than: 0 },
    },
    {
      peer: null,
      name: "freshness, of the upstream calls, of the staking series",
      value: staking.length,
      unit: "calls",
      target: null,
    },
    ...await measureOtherSources(world, chains),
    ...await measureFreshService(short),
  ];
}

/** The other sources, with what they allow in a day and within shorter times, in ms. */
const OTHER_SOURCES: readonly {
  readonly to: UpstreamName;
  readonly name: string;
  readonly perDay: number | null;
  readonly within: readonly [calls: number, perMs: number];
}[] = [
  {
    to: "explorer",
    name: "explorer index",
    perDay: EXPLORER_CALLS.keyless.perDay!,
    within: [EXPLORER_CALLS.keyless.perSecond!, 1_000],
  },
  {
    to: "cChainRpc",
    name: "C-Chain node",
    perDay: null,
    within: [NODE_CALLS.perMinute!, MINUTE_MS],
  },
  {
    to: "pChainRpc",
    name: "P-Chain node",
    perDay: null,
    within: [NODE_CALLS.perMinute!, MINUTE_MS],
  },
];

/** Measures the calls to the sources that check: on the day that fills them, and on the next. */
async function measureOtherSources(
  world: World,
  chains: number,
): Promise<Measurement[]> {
  const days = [DAY + DAY_MS, DAY + 2 * DAY_MS];
  await world.runUntil(DAY + 3 * DAY_MS, CHECKING);
  return OTHER_SOURCES.flatMap(({ to, name, perDay, within }) => {
    const instants = world.calls.filter((call) => call.to === to)
      .map(({ at }) => at);
    const [calls, perMs] = within;
    const measured = (
      what: string,
      value: number,
      most: number | null,
    ): Measurement => ({
      peer: null,
      name: `${name} of ${chains} chains, ${what}`,
      value,
      unit: "calls",
      target: most === null ? null : { of: "value", is: "<=", than: most },
    });
    return [
      ...days.map((day, nth) =>
        measured(
          nth === 0 ? "calls of the first day" : "calls a day",
          instants.filter((at) => at >= day && at < day + DAY_MS).length,
          perDay,
        )
      ),
      measured(
        perMs === MINUTE_MS ? "calls in a minute" : "calls in a second",
        mostWithin(perMs, instants),
        calls,
      ),
    ];
  });
}

/** Networks that ask a fresh service for series in no order, and how often each does. */
const MIXED_READERS = 20;
const MIXED_EVERY_MS = 20_000;

/** Measures a service that has read nothing yet, with the public limits of its sources. */
async function measureFreshService(short: boolean): Promise<Measurement[]> {
  const chains = short ? 20 : 200;
  const minutes = short ? 10 : 80;
  using service = await freshService(chains);
  const paths = mixedPaths(chains, "mixed").filter((path) => {
    const { chainId, metric } = Object.fromEntries(
      new URL(path, "http://firn.test").searchParams,
    );
    return !isMissing(Number(chainId), metric!);
  });
  const readers = Array.from({ length: MIXED_READERS }, (_, nth) => ({
    network: `192.0.2.${nth}`,
    everyMs: MIXED_EVERY_MS,
    pathOf: (at: number) => paths[(nth * 151 + at) % paths.length],
    retries: true,
  }));
  const answers = await service.read(readers, { minutes });
  const { calls } = service.upstreams.metricsApi;
  const readAt = new Map<string, number>();
  for (const { at, path } of calls) {
    const [name] = path.split("?");
    if (!readAt.has(name!)) readAt.set(name!, at);
  }
  const readAfter = listChains(chains).map(({ evmChainId }) =>
    STORED_METRICS.map((metric) => {
      const at = readAt.get(`/v2/chains/${evmChainId}/metrics/${metric}`);
      return ((at ?? Infinity) - service.start) / MINUTE_MS;
    })
  );
  const sorted = readAfter.flat().toSorted((a, b) => a - b);
  const whole = readAfter.map((minutes) => Math.max(...minutes))
    .toSorted((a, b) => a - b);
  const firsts = answers.filter(({ isRetry }) => !isRetry);
  const retries = answers.filter(({ isRetry }) => isRetry);
  const answered = answers.filter(({ status }) => status === 200);
  const unread = firsts.filter(({ code }) => code === "NOT_READ_YET");
  const longestWait = (answers: readonly FreshAnswer[]) =>
    Math.max(0, ...answers.map(({ at, askedAt }) => at - askedAt)) / 1_000;
  const partOf = (answers: readonly { readonly status: number }[]) =>
    100 * answers.filter(({ status }) => status === 200).length /
    answers.length;
  const measured = (
    what: string,
    value: number,
    unit: string,
    target: Measurement["target"] = null,
  ): Measurement => ({
    peer: null,
    name: `fresh service of ${chains} chains, ${what}`,
    value,
    unit,
    target,
  });
  return [
    ...[50, 95, 100].flatMap((percentile) => [
      measured(
        `until a series is read, p${percentile}`,
        percentileOf(sorted, percentile),
        "minutes",
      ),
      measured(
        `until all series of a chain are, p${percentile}`,
        percentileOf(whole, percentile),
        "minutes",
      ),
    ]),
    measured(`of ${firsts.length} requests, answered`, partOf(firsts), "%"),
    measured("NOT_READ_YET", 100 * unread.length / firsts.length, "%"),
    measured(
      "other refusals",
      answers.filter(({ status, code }) =>
        status !== 200 && code !== "NOT_READ_YET"
      ).length,
      "answers",
      { of: "value", is: "=", than: 0 },
    ),
    measured("longest wait for an answer", longestWait(answered), "s"),
    measured("longest wait for a refusal", longestWait(unread), "s"),
    measured(
      "longest Retry-After",
      Math.max(...answers.map(({ retryAfterS }) => retryAfterS)),
      "s",
    ),
    measured(
      `of ${retries.length} retries, answered`,
      retries.length === 0 ? 100 : partOf(retries),
      "%",
      { of: "value", is: ">=", than: 99 },
    ),
    measured(
      "calls in a minute",
      mostWithin(MINUTE_MS, calls.map(({ at }) => at)),
      "calls",
      { of: "value", is: "<=", than: 80 },
    ),
  ];
}

const PATH = "/api/chain-data/metrics";

/** The one series that upstream lacks, although the chain was active. */
function isMissing(chainId: number, metric: string): boolean {
  return chainId === ANOMALY_CHAIN_IDS.nullAddresses &&
    metric === "cumulativeAddresses";
}

async function readHeld(
  world: World,
  path: string,
  { chainId, metric }: Pick<Held, "chainId" | "metric">,
) {
  const response = await world.ask(path);
  const { status, headers } = response;
  const body = await response.json();
  const completeDays = new Set<string>();
  for (const { day, complete } of body.series ?? []) {
    if (complete) completeDays.add(day);
  }
  const maxAge = headers.get("Cache-Control")?.match(/max-age=(\d+)/)?.[1];
  const maxAgeMs = Number(maxAge ?? 0) * 1_000;
  return { status, held: { chainId, metric, completeDays }, maxAgeMs };
}

/** Returns the last days that upstream had completed 80 minutes ago. */
function publishedBefore(
  world: World,
  options: Parameters<typeof openWorld>[1],
) {
  const { metricsApi } = simulateUpstreams({
    ...options,
    now: () => new Date(world.now() - MAX_LACK_MS),
  });
  return async ({ chainId, metric }: Held): Promise<string[]> => {
    const response = await metricsApi.handle(
      new Request(
        `http://simnet.test/v2/chains/${chainId}/metrics/${metric}?pageSize=4`,
      ),
    );
    const { results } = await response.json();
    const days: { timestamp: number }[] = (results ?? []).slice(1);
    return days.map(({ timestamp }) => formatDay(dayAt(timestamp * 1_000)));
  };
}

/** Returns a percentile of sorted numbers. */
function percentileOf(sorted: readonly number[], percentile: number): number {
  return sorted[Math.ceil(sorted.length * percentile / 100) - 1]!;
}

/** Returns the largest number of instants within any time of a length, in ms. */
function mostWithin(ms: number, instants: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < instants.length; last++) {
    while (instants[last]! - instants[first]! >= ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
