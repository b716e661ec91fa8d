/** Cached scores of a customer while 40 connections ask for explorer pages with random dates. */
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import { formatDay, parseDay } from "../../services/platform/days.ts";
import { startService } from "../../tests/support/processes/service.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { percentile } from "../measure/statistics.ts";
import { addCaller } from "../scores/keyed_callers.ts";
import { type Client, serveFor } from "./flood.ts";

const CONNECTIONS = 40;

/** The default of `FAIR_USE_PER_MINUTE`. All connections together send a tenth of it. */
const REQUESTS_PER_MINUTE = 6_000;
const REST_MS = CONNECTIONS * 60_000 / (REQUESTS_PER_MINUTE / 10);

const PHASE_MS = 60_000;
const SHORT_MS = 20_000;

/** Pause after each score, below the burst limit of 60 a minute of one key. */
const SCORE_REST_MS = 1_050;

/** Keys that ask in turn, so that there are enough scores for a percentile. */
const CALLERS = 16;

const FIRST_DAY = parseDay("2021-03-01");
const DAYS = 1_500;

/** Measures the scores alone, and then beside the pages. */
export async function measurePages(
  { short, filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const phaseMs = short ? SHORT_MS : PHASE_MS;
  const database = await filled();
  const settings: Readonly<Record<string, string>> = {
    ...database.settings,
    FAIR_USE_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    TRUSTED_PROXY_HOPS: "1",
  };
  using kv = await Deno.openKv(settings.KV_PATH);
  const deps = openDeps(readConfig(settings), {
    kv,
    fetch,
    now: () => new Date(settings.FIRN_NOW!),
    write: () => {},
    sleep: () => Promise.resolve(),
  });
  const scores = await Promise.all(
    Array.from({ length: CALLERS }, async (_, nth): Promise<Client> => {
      const { key, address } = await addCaller(deps, nth);
      return {
        next: () => `/api/v1/score/${address}`,
        headers: { "X-Api-Key": key, "X-Forwarded-For": "203.0.113.1" },
        restMs: SCORE_REST_MS,
      };
    }),
  );
  const pages = Array.from(
    { length: CONNECTIONS },
    (_, nth) => pageClient(nth),
  );
  await using service = await startService(settings);
  const timesOf = async (clients: readonly Client[], ms: number) => {
    const served = await serveFor(service.url, clients, ms);
    return {
      scores: served.slice(0, CALLERS).flatMap(({ times }) => times),
      pages: served.slice(CALLERS).flatMap(({ statuses }) => statuses),
    };
  };
  await timesOf([...scores, pages[0]!], 3_000);
  const quiet = await timesOf(scores, phaseMs);
  const busy = await timesOf([...scores, ...pages], phaseMs);
  const shown = busy.pages.filter((status) => status === 200).length;
  return [
    {
      name: "score beside 40 connections to the explorer, p99",
      value: percentile(busy.scores, 99),
      unit: "ms",
      peer: percentile(quiet.scores, 99),
      target: { of: "ratio", is: "<", than: 3 },
    },
    {
      name: "score beside 40 connections to the explorer, median",
      value: percentile(busy.scores, 50),
      unit: "ms",
      peer: percentile(quiet.scores, 50),
      target: null,
    },
    {
      name: "explorer pages a second, meanwhile",
      value: shown / (phaseMs / 1_000),
      unit: "/s",
      peer: null,
      target: null,
    },
  ];
}

/** Makes a client that asks for pages that nobody has rendered. */
function pageClient(nth: number): Client {
  let pages = 0;
  return {
    next() {
      const from = FIRST_DAY + (nth * 37 + pages++ * 211) % DAYS;
      const to = from + 200 + (nth * 11 + pages * 7) % 200;
      return `/?metric=txCount&chainId=43114&from=${formatDay(from)}&to=${
        formatDay(to)
      }&interval=day`;
    },
    headers: { "Accept": "text/html", "X-Forwarded-For": "198.51.100.1" },
    restMs: REST_MS,
  };
}
