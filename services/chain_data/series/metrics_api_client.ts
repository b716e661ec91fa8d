/** The Avalanche Metrics API: the chain list and the daily series. */
import { z } from "zod";
import { C_CHAIN, type Chain } from "../metrics_schema.ts";
import { DAY_MS, dayAt, parseDay, startOfDay } from "../../platform/days.ts";
import { upstreamDown } from "../../platform/fault.ts";
import type { DailyValue } from "./series.ts";
import { type MetricsSeriesId, nameSeries } from "./series_id.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { getJson, type Http } from "../../platform/http/http_client.ts";
import { Numeric } from "../../platform/http/numeric_schema.ts";
import { nameSource, type Sourced } from "../../platform/http/source.ts";

/** Days in one page: the most that upstream gives. */
const PAGE_SIZE = 2160;

/** Pages after which a history is taken for endless. */
const MAX_PAGES = 50;

/** A chain as upstream lists it. */
export type ListedChain = Omit<Chain, "token">;

const PageToken = z.string().nullish().transform((token) => token || undefined);

/** A name as it can stand in any of our answers: whoever runs a chain chose it. */
const ChainName = z.string()
  .transform((name) => name.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ").trim())
  .pipe(z.string().min(1).max(100));

/** The ids of the P-Chain have fifty characters. */
const PlatformId = z.string().max(100);

const ListedChain = z.object({
  evmChainId: Numeric.pipe(z.int().positive()),
  chainName: ChainName,
  blockchainId: PlatformId,
  subnetId: PlatformId,
}).transform(({ evmChainId, ...chain }) => ({ chainId: evmChainId, ...chain }));

/** An entry without an EVM chain id or a name is none of ours, and hides no other. */
const ChainsPage = z.object({
  chains: z.array(ListedChain.nullable().catch(null)),
  nextPageToken: PageToken,
});

/** The network is of 2020: an older day is a broken one. */
const OLDEST_DAY = parseDay("2020-01-01");

/** A day starts at 00:00:00 UTC; anything else is no daily series. */
const DayStart = Numeric.refine((seconds) => seconds * 1000 % DAY_MS === 0)
  .transform((seconds) => dayAt(seconds * 1000))
  .refine((day) => day >= OLDEST_DAY);

const SeriesPage = z.object({
  results: z.array(
    z.object({ timestamp: DayStart, value: Numeric.nullable() }),
  ).nullable(),
  nextPageToken: PageToken,
});

const NAME = "Avalanche Metrics API";

/** The Metrics API at a base URL. */
export function metricsApi(http: Http, baseUrl: string) {
  const { host } = new URL(baseUrl);

  /** Reads all pages of a list; one page that fails fails the whole. */
  async function readPages<T extends { nextPageToken?: string | undefined }>(
    path: string,
    params: Record<string, string>,
    schema: z.ZodType<T>,
    options: CallOptions,
  ): Promise<Sourced<T[]>> {
    const pages: T[] = [];
    let simulated = false;
    let pageToken: string | undefined;
    do {
      if (pages.length === MAX_PAGES) {
        throw upstreamDown(host, `${path} has more than ${MAX_PAGES} pages`);
      }
      const url = new URL(baseUrl.replace(/\/$/, "") + path);
      url.search = new URLSearchParams(
        pageToken ? { ...params, pageToken } : params,
      ).toString();
      const page = await getJson(http, new Request(url), schema, options);
      pages.push(page.body);
      simulated ||= page.simulated;
      pageToken = page.body.nextPageToken;
    } while (pageToken !== undefined);
    const source = nameSource(NAME, { host, simulated });
    return { body: pages, source };
  }

  return {
    /** Base URL, as configured. */
    baseUrl,

    /** What it is called before it has answered. */
    source: nameSource(NAME, { host, simulated: false }),

    /** Lists the mainnet chains; throws a fault unless the C-Chain is among them. */
    async listChains(options: CallOptions): Promise<Sourced<ListedChain[]>> {
      const params = { network: "mainnet" };
      const { body, source } = await readPages(
        "/v2/chains",
        params,
        ChainsPage,
        options,
      );
      const listed = body.flatMap((page) => page.chains)
        .filter((chain) => chain !== null);
      const chains = [
        ...new Map(listed.map((chain) => [chain.chainId, chain])).values(),
      ];
      if (!chains.some(({ chainId }) => chainId === C_CHAIN)) {
        throw upstreamDown(host, "the chain list lacks the C-Chain");
      }
      return { body: chains, source };
    },

    /**
     * Reads the daily values of a series, newest first: the whole history, or
     * the tail from a day on. A `null` value is an absent day.
     */
    async readDaily(
      id: MetricsSeriesId,
      options: CallOptions & { readonly fromDay?: number | undefined },
    ): Promise<Sourced<DailyValue[]>> {
      const params: Record<string, string> = { pageSize: String(PAGE_SIZE) };
      if (typeof id.subject === "number") params.timeInterval = "day";
      if (options.fromDay !== undefined) {
        params.startTimestamp = String(startOfDay(options.fromDay) / 1000);
      }
      const { body, source } = await readPages(
        pathOf(id),
        params,
        SeriesPage,
        options,
      );
      if (body.length > 1 && body.some(({ results }) => !results?.length)) {
        throw upstreamDown(host, `a page of ${nameSeries(id)} is empty`);
      }
      // A clock here that is late must not refuse the day that has just begun.
      const newest = dayAt(http.now().getTime()) + 1;
      const points: DailyValue[] = [];
      for (
        const { timestamp: day, value } of body.flatMap((page) =>
          page.results ?? []
        )
      ) {
        if (day > newest) {
          throw upstreamDown(host, `${nameSeries(id)} has days of the future`);
        }
        if (value !== null) points.push({ day, value });
      }
      return { body: points, source };
    },
  };
}

function pathOf({ subject, metric }: MetricsSeriesId): string {
  return subject === "primary-network"
    ? `/v2/networks/mainnet/metrics/${metric}`
    : `/v2/chains/${subject}/metrics/${metric}`;
}

/** The Metrics API client. */
export type MetricsApi = ReturnType<typeof metricsApi>;
