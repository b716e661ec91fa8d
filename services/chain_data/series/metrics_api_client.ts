/** Client of the Avalanche Metrics API: the chain list and daily series. */
import { z } from "zod";
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import type { ChainRows } from "../catalogue/chains.ts";
import { DAY_MS, dayAt, parseDay, startOfDay } from "../../platform/days.ts";
import { upstreamDown } from "../../platform/fault.ts";
import { type DailyRows, readDailyRows } from "./daily_rows.ts";
import {
  type MetricsSeriesId,
  nameSeries,
  type SeriesId,
} from "../catalogue/series_id.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import {
  describe,
  judgeRows,
  nameSource,
  type Sourced,
} from "../../platform/http/upstream_answer.ts";
import { getJson, type Http } from "../../platform/http/http_client.ts";
import {
  Numeric,
  NumericOfAnyUnit,
} from "../../platform/http/numeric_schema.ts";
import { hasUnit } from "./doubted_days.ts";

/** Days per page, the maximum of the API. */
const PAGE_SIZE = 2160;

/** Maximum number of pages. More are treated as an error. */
const MAX_PAGES = 50;

const PageToken = z.string().nullish().transform((token) => token || undefined);

/** The operator of a chain chooses its name, so control characters are removed. */
const ChainName = z.string()
  .transform((name) => name.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ").trim())
  .pipe(z.string().min(1).max(100));

/** Ids of the P-Chain have about fifty characters. */
const PlatformId = z.string().max(100);

const ChainId = z.object({ evmChainId: Numeric.pipe(z.int().positive()) });

const ListedChain = ChainId.extend({
  chainName: ChainName,
  blockchainId: PlatformId,
  subnetId: PlatformId,
}).transform(({ evmChainId, ...chain }) => ({ chainId: evmChainId, ...chain }));

const ChainsPage = z.object({
  chains: z.array(z.unknown()),
  nextPageToken: PageToken,
});

/** The network started in 2020. An older day is an error. */
const OLDEST_DAY = parseDay("2020-01-01");

/** Each timestamp must be 00:00:00 UTC. */
const DayStart = Numeric.refine((seconds) => seconds * 1000 % DAY_MS === 0)
  .transform((seconds) => dayAt(seconds * 1000))
  .refine((day) => day >= OLDEST_DAY);

const SeriesPage = z.object({
  results: z.array(z.unknown()).nullable(),
  nextPageToken: PageToken,
});

const NAME = "Avalanche Metrics API";

/** A host that answers as the Metrics API does. */
interface MetricsHost {
  readonly http: Http;
  readonly baseUrl: string;
}

/**
 * Creates a client of the Metrics API at a base URL. The series of a chain in `others`
 * are read from its own host.
 */
export function metricsApi(
  http: Http,
  baseUrl: string,
  others: ReadonlyMap<number, MetricsHost> = new Map(),
) {
  const own: MetricsHost = { http, baseUrl };
  const { host } = new URL(baseUrl);

  function hostOf({ subject }: Pick<SeriesId, "subject">): MetricsHost {
    return typeof subject === "number" ? others.get(subject) ?? own : own;
  }

  /** Reads all pages of a list. If one page fails, the read fails. */
  async function readPages<T extends { nextPageToken?: string | undefined }>(
    { http, baseUrl }: MetricsHost,
    path: string,
    params: Record<string, string>,
    schema: z.ZodType<T>,
    options: CallOptions,
  ): Promise<Sourced<T[]>> {
    const { host } = new URL(baseUrl);
    const pages: T[] = [];
    let simulated = false;
    let pageToken: string | undefined;
    const tokens = new Set<string>();
    do {
      if (pages.length === MAX_PAGES) {
        throw upstreamDown(host, `${path} has more than ${MAX_PAGES} pages`);
      }
      const url = new URL(baseUrl.replace(/\/$/, "") + path);
      url.search = new URLSearchParams(
        pageToken ? { ...params, pageToken } : params,
      ).toString();
      const page = await getJson(http, new Request(url), schema, options);
      const last = pages.at(-1);
      pages.push(page.body);
      simulated ||= page.simulated;
      pageToken = page.body.nextPageToken;
      const isRepeated = pageToken !== undefined &&
        (tokens.has(pageToken) || hasSameItems(last, page.body));
      if (isRepeated) throw upstreamDown(host, `${path} repeats a page`);
      if (pageToken !== undefined) tokens.add(pageToken);
    } while (pageToken !== undefined);
    const source = nameSource(NAME, { host, simulated });
    return { body: pages, source };
  }

  /** Judges the rows of all pages together. */
  function judged<T>({ baseUrl }: MetricsHost, judge: () => T): T {
    try {
      return judge();
    } catch (cause) {
      throw upstreamDown(new URL(baseUrl).host, describe(cause), { cause });
    }
  }

  return {
    /** Base URL, as configured. */
    baseUrl,

    /** Name of the source before the first response. */
    source: sourceAt(baseUrl),

    /** Returns the base URL that a series is read from. */
    baseUrlOf: (id: Pick<SeriesId, "subject">): string => hostOf(id).baseUrl,

    /** The chains that have a host of their own, and its name before the first response. */
    others: [...others].map(([chainId, { baseUrl }]) => ({
      chainId,
      baseUrl,
      source: sourceAt(baseUrl),
    })),

    /**
     * Lists the mainnet chains. An id may be listed more than once. Throws a fault
     * if the C-Chain is missing.
     */
    async listChains(options: CallOptions): Promise<ChainRows> {
      const params = { network: "mainnet" };
      const { body, source } = await readPages(
        own,
        "/v2/chains",
        params,
        ChainsPage,
        options,
      );
      const { rows: chains, setAside } = judged(
        own,
        () =>
          judgeRows(body.flatMap((page) => page.chains), {
            parse: (row) => ListedChain.parse(row),
            // Two chains may claim an id, so only equal rows are one.
            idOf: (row) =>
              ChainId.safeParse(row).success ? JSON.stringify(row) : null,
            needsOne: true,
          }),
      );
      if (!chains.some(({ chainId }) => chainId === C_CHAIN)) {
        throw upstreamDown(host, "the chain list lacks the C-Chain");
      }
      const unread = setAside.map(({ row, reason }) => {
        const found = ChainId.safeParse(row);
        return { chainId: found.data?.evmChainId ?? null, reason };
      });
      return { body: chains, unread, source };
    },

    /**
     * Reads the daily values of a series, newest first: the whole history, or the
     * days from `fromDay` on.
     */
    async readDaily(
      id: MetricsSeriesId,
      options: CallOptions & { readonly fromDay?: number | undefined },
    ): Promise<DailyRows> {
      const params: Record<string, string> = { pageSize: String(PAGE_SIZE) };
      if (typeof id.subject === "number") params.timeInterval = "day";
      if (options.fromDay !== undefined) {
        params.startTimestamp = String(startOfDay(options.fromDay) / 1000);
      }
      const from = hostOf(id);
      const { body, source } = await readPages(
        from,
        pathOf(id),
        params,
        SeriesPage,
        options,
      );
      if (body.length > 1 && body.some(({ results }) => !results?.length)) {
        const { host } = new URL(from.baseUrl);
        throw upstreamDown(host, `a page of ${nameSeries(id)} is empty`);
      }
      // Our clock may be slow, so tomorrow is allowed.
      const newest = dayAt(http.now().getTime()) + 1;
      const { points, unread } = judged(
        from,
        () =>
          readDailyRows(body.flatMap((page) => page.results ?? []), {
            dayField: "timestamp",
            day: DayStart.pipe(z.int().max(newest)),
            valueField: "value",
            value: hasUnit(id) ? NumericOfAnyUnit : Numeric,
          }),
      );
      return { body: points, unread, source };
    },
  };
}

/** Returns the name of the API at a base URL, unless its responses are simulated. */
function sourceAt(baseUrl: string): string {
  const { host } = new URL(baseUrl);
  return nameSource(NAME, { host, simulated: false });
}

/** Returns whether two pages are equal but for their tokens: the source ignores the token. */
function hasSameItems<T extends object>(a: T | undefined, b: T): boolean {
  const itemsOf = (page: T) =>
    JSON.stringify({ ...page, nextPageToken: undefined });
  return a !== undefined && itemsOf(a) === itemsOf(b);
}

function pathOf({ subject, metric }: MetricsSeriesId): string {
  return subject === "primary-network"
    ? `/v2/networks/mainnet/metrics/${metric}`
    : `/v2/chains/${subject}/metrics/${metric}`;
}

/** The Metrics API client. */
export type MetricsApi = ReturnType<typeof metricsApi>;
