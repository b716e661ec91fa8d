/** Assumptions about the Avalanche Metrics API. */
import { z } from "zod";
import { C_CHAIN } from "../../chain_data/catalogue/metrics_schema.ts";
import { DAY_MS, dayAt, formatDay } from "../../platform/days.ts";
import { Numeric } from "../../platform/http/numeric_schema.ts";
import {
  type Assumption,
  assumptionsAbout,
  hasShape,
  isNear,
  NotExamined,
  requirePart,
} from "./assumption.ts";
import type { Sources } from "./sources_client.ts";

/** Days per page that the client asks for. */
const PAGE_SIZE = 2160;

/** Age of the newest day at which a series is behind. */
const MAX_LAG_DAYS = 3;

/** A chain id that no chain has. */
const NO_CHAIN = 4_294_967_311;

const DAY_SECONDS = DAY_MS / 1000;

/** The year 10,000. A later instant has another unit than seconds. */
const LAST_SECOND = Date.UTC(10_000, 0) / 1000;

const Points = z.object({
  results: z.array(z.object({
    timestamp: Numeric.refine(
      (seconds) => seconds % DAY_SECONDS === 0 && seconds < LAST_SECOND,
      "not the start of a UTC day",
    ),
    value: Numeric,
  })).min(1).refine(
    (points) =>
      points.every(({ timestamp }, nth) =>
        nth === 0 || timestamp < points[nth - 1]!.timestamp
      ),
    "not newest first",
  ),
  nextPageToken: z.string().nullish(),
});

const Chains = z.object({
  chains: z.array(z.object({
    evmChainId: Numeric,
    chainName: z.string(),
    blockchainId: z.string(),
    subnetId: z.string(),
  })).min(1),
});

const seriesPath = (metric: string, chain = C_CHAIN) =>
  `/v2/chains/${chain}/metrics/${metric}`;

const readPage = (sources: Sources, pageToken?: string) =>
  sources.metrics(seriesPath("txCount"), {
    pageSize: String(PAGE_SIZE),
    timeInterval: "day",
    ...(pageToken && { pageToken }),
  });

/** Reads the days of a metric from the fourth newest day on. */
async function readRecent(sources: Sources, metric: string) {
  const [newest] = requirePart(await readPage(sources), Points).results;
  return await sources.metrics(seriesPath(metric), {
    pageSize: String(PAGE_SIZE),
    timeInterval: "day",
    startTimestamp: String(newest!.timestamp - 3 * DAY_SECONDS),
  });
}

/** Reads the older page; null if the first one holds the whole history. */
async function readOlder(sources: Sources) {
  const { nextPageToken } = requirePart(await readPage(sources), Points);
  return nextPageToken ? await readPage(sources, nextPageToken) : null;
}

/** Returns the transactions of a day. */
async function txCountOn(sources: Sources, timestamp: number) {
  const { results } = requirePart(await readPage(sources), Points);
  const found = results.find((point) => point.timestamp === timestamp);
  if (found) return found.value;
  throw new NotExamined("txCount lacks the day");
}

const dayOf = (seconds: number) => formatDay(dayAt(seconds * 1000));

const CLIENT = "services/chain_data/series/metrics_api_client.ts";

const about = assumptionsAbout("Metrics API");

/** Returns the assumption about a host that answers for one chain. */
export function ownHostAssumption(
  { chainId, host }: Sources["ownHosts"][number],
): Assumption {
  return {
    source: host,
    text: `the series of chain ${chainId} is a list of UTC days and values`,
    look: `METRICS_API_URLS, ${CLIENT}`,
    async examine(sources) {
      const params = { pageSize: String(PAGE_SIZE), timeInterval: "day" };
      const reply = await sources.metricsOf(
        chainId,
        seriesPath("txCount", chainId),
        params,
      );
      return hasShape(reply, Points, ({ results }) => ({
        holds: true,
        seen: `${results.length} days, newest ${dayOf(results[0]!.timestamp)}`,
      }));
    },
  };
}

/** What the code assumes of the Metrics API. */
export const METRICS_API_ASSUMPTIONS: readonly Assumption[] = [
  about(
    "the chain list names each chain and has the C-Chain",
    `METRICS_API_URL, ${CLIENT}`,
    async (sources) =>
      hasShape(
        await sources.metrics("/v2/chains", { network: "mainnet" }),
        Chains,
        ({ chains }) => ({
          holds: chains.some(({ evmChainId }) => evmChainId === C_CHAIN),
          seen: `${chains.length} chains`,
        }),
      ),
  ),
  about(
    "a series is a list of UTC days and values, newest first",
    `METRICS_API_URL, ${CLIENT}`,
    async (sources) =>
      hasShape(await readPage(sources), Points, ({ results }) => ({
        holds: true,
        seen: `${results.length} days`,
      })),
  ),
  about(
    "a page holds 2,160 days, and its token leads to the day before",
    `PAGE_SIZE in ${CLIENT}`,
    async (sources) => {
      const { results } = requirePart(await readPage(sources), Points);
      const older = await readOlder(sources);
      if (older === null) {
        const seen = `${results.length} days and no token`;
        return { holds: results.length < PAGE_SIZE, seen };
      }
      return hasShape(older, Points, (next) => {
        const last = results.at(-1)!.timestamp;
        const first = next.results[0]!.timestamp;
        return {
          holds: results.length === PAGE_SIZE && last - first === DAY_SECONDS,
          seen: `${results.length} days to ${dayOf(last)}, then ${
            dayOf(first)
          }`,
        };
      });
    },
  ),
  about(
    "the history of the C-Chain begins in September 2020",
    "services/chain_data/series/series_reader.ts",
    async (sources) => {
      const older = await readOlder(sources) ?? await readPage(sources);
      const first = requirePart(older, Points).results.at(-1)!.timestamp;
      return {
        holds: dayOf(first).startsWith("2020-09"),
        seen: dayOf(first),
      };
    },
  ),
  about(
    `the newest day is at most ${MAX_LAG_DAYS} days old, and not in the future`,
    "services/chain_data/series/buckets.ts",
    async (sources, { now }) => {
      const [newest] = requirePart(await readPage(sources), Points).results;
      const age = dayAt(now) - newest!.timestamp / DAY_SECONDS;
      const seen = `${dayOf(newest!.timestamp)}, ${age} days old`;
      return { holds: age >= 0 && age <= MAX_LAG_DAYS, seen };
    },
  ),
  about(
    "startTimestamp includes its day",
    `readDaily in ${CLIENT}`,
    async (sources) => {
      const [newest] = requirePart(await readPage(sources), Points).results;
      const recent = await readRecent(sources, "txCount");
      return hasShape(recent, Points, ({ results }) => ({
        holds: results.length === 4 &&
          results[3]!.timestamp === newest!.timestamp - 3 * DAY_SECONDS,
        seen: `${results.length} of 4 days`,
      }));
    },
  ),
  about(
    "fees are in AVAX, not in wei",
    "METRICS in services/chain_data/catalogue/metrics_schema.ts",
    async (sources) =>
      hasShape(
        await readRecent(sources, "feesPaid"),
        Points,
        ({ results }) => ({
          holds: results.every(({ value }) => value > 0.1 && value < 1e6),
          seen: `${results[0]!.value} on ${dayOf(results[0]!.timestamp)}`,
        }),
      ),
  ),
  about(
    "gas prices are in wei, and the highest is not below the mean",
    "METRICS in services/chain_data/catalogue/metrics_schema.ts",
    async (sources) => {
      const [mean, highest] = [
        await readRecent(sources, "avgGasPrice"),
        await readRecent(sources, "maxGasPrice"),
      ].map((reply) => requirePart(reply, Points).results.at(-1)!.value);
      return {
        // From a thousandth of an nAVAX to 100,000 of them.
        holds: mean! >= 1e6 && mean! <= 1e14 && highest! >= mean!,
        seen: `${mean}, at most ${highest}`,
      };
    },
  ),
  about(
    "a running total grows by the daily values",
    "services/chain_data/quality/chain_quality.ts",
    async (sources) => {
      const reply = await readRecent(sources, "cumulativeTxCount");
      const [, one, before] = requirePart(
        reply,
        Points.extend({
          results: Points.shape.results.refine((points) => points.length > 2),
        }),
      ).results;
      const daily = await txCountOn(sources, one!.timestamp);
      const grown = one!.value - before!.value;
      return {
        holds: isNear(grown, daily, 1),
        seen: `+${grown} where ${daily} were counted`,
      };
    },
  ),
  about(
    "avgTps is transactions a second over the day",
    "METRICS in services/chain_data/catalogue/metrics_schema.ts",
    async (sources) => {
      const { results } = requirePart(
        await readRecent(sources, "avgTps"),
        Points,
      );
      const one = results[1];
      if (one === undefined) throw new NotExamined("avgTps has one day");
      const expected = await txCountOn(sources, one.timestamp) / DAY_SECONDS;
      return {
        holds: isNear(one.value, expected, 5),
        seen: `${one.value}, by count ${expected.toFixed(2)}`,
      };
    },
  ),
  about(
    "an unknown chain is refused with 400 or 404",
    "services/chain_data/catalogue/chains.ts",
    async (sources) => {
      const reply = await sources.metrics(seriesPath("txCount", NO_CHAIN), {
        pageSize: "1",
        timeInterval: "day",
      });
      if (reply.status === 0) throw new NotExamined("no connection");
      return {
        holds: reply.status === 400 || reply.status === 404,
        seen: `status ${reply.status}`,
      };
    },
  ),
  about(
    "stake is in nAVAX",
    "services/chain_data/validators/validators.ts",
    async (sources) => {
      const reply = await readStake(sources);
      return hasShape(reply, Points, ({ results }) => {
        const avax = results[0]!.value / 1e9;
        const seen = `${Math.round(avax)} AVAX`;
        return { holds: isPlausibleStake(avax), seen };
      });
    },
  ),
  about(
    "no header limits calls below what the service makes",
    "METRICS_CALLS_PER_MINUTE",
    async (sources, { metricsCallsPerMinute }) => {
      const { headers, error } = await readPage(sources);
      if (error !== null) throw new NotExamined(error);
      const limits = [...headers].filter(([name]) => /limit$/i.test(name));
      return {
        holds: limits.every(([, value]) =>
          !(parseInt(value) < metricsCallsPerMinute)
        ),
        seen: limits.map((header) => header.join(": ")).join(", ") ||
          "no such header",
      };
    },
  ),
];

/** Reads the stake of the validators, newest day first. */
function readStake(sources: Sources) {
  return sources.metrics("/v2/networks/mainnet/metrics/validatorWeight", {
    pageSize: "2",
  });
}

/** Returns the newest stake of the validators, in nAVAX. */
export async function newestStake(sources: Sources): Promise<number> {
  const { value } = requirePart(await readStake(sources), Points).results[0]!;
  if (isPlausibleStake(value / 1e9)) return value;
  throw new NotExamined("the stake that it needs has another unit");
}

/** Whether an amount can be the stake of the Primary Network. About 470,000,000 AVAX exist. */
function isPlausibleStake(avax: number): boolean {
  return avax > 1e7 && avax < 1e9;
}

/** Returns the daily transactions by `YYYY-MM-DD`. */
export async function dailyTransactions(
  sources: Sources,
): Promise<Map<string, number>> {
  const { results } = requirePart(await readPage(sources), Points);
  return new Map(
    results.map(({ timestamp, value }) => [dayOf(timestamp), value]),
  );
}

/** Returns the values of the last complete days of a metric, by `YYYY-MM-DD`. */
export async function recentValues(
  sources: Sources,
  metric: string,
): Promise<Map<string, number>> {
  const { results } = requirePart(await readRecent(sources, metric), Points);
  return new Map(
    results.slice(1).map(({ timestamp, value }) => [dayOf(timestamp), value]),
  );
}
