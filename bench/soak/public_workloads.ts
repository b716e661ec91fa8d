/** Workloads without a key: chain data, charts, badges and pages. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  C_CHAIN,
  FORMATS,
  INTERVALS,
  METRIC_NAMES,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { RANGE_NAMES } from "../../services/chain_data/catalogue/fields_schema.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import type { Client, Reply, Workload } from "./client.ts";
import type { Environment } from "./environment.ts";

const CHAIN_DATA = "/api/chain-data";

const CHECKED = [
  "/monthly-transactions",
  "/transaction-fees",
  "/block-production?window=7",
  "/validators?range=1y",
  "/quality",
  "/disputes",
  "/chains",
];

const CHARTS = [
  "/chart/txCount.svg?range=90d",
  "/chart/activeAddresses.svg?range=1y&interval=week",
  "/chart/transaction-fees.svg",
  "/chart/validators.svg",
];

const PAGES = [
  "/",
  "/?metric=gasUsed&chainId=43114&range=1y&interval=week",
  "/docs",
  "/docs/reference",
  "/dashboard",
  "/status",
  "/tools/score",
  `/tools/score/${exampleOf("ordinary")}`,
  "/tools/verify-attestation",
];

const FACTS = [
  "/api/v1",
  "/status.json",
  "/openapi.json",
  "/.well-known/score-attestation.json",
];

/** Number of addresses with a badge. */
const BADGES = 300;

/** Returns the workloads without a key. */
export function publicWorkloads(
  { storedChains, newChains }: Environment,
): Workload[] {
  const hot = listTargets([C_CHAIN]);
  const stored = listTargets(storedChains);
  const fromUpstream = newChains.flatMap((chainId) =>
    METRIC_NAMES.map((metric) => targetOf({ chainId, metric, range: "all" }))
  );
  const badges = Array.from(
    { length: BADGES },
    (_, nth) => `/api/tools/score-badge/${exampleOf("ordinary", nth)}`,
  );
  const readers = (pathOf: (at: Turn) => string): Workload["run"] => {
    const known = new Map<string, string>();
    return (client, at) => readSeries(client, pathOf(at), known);
  };
  return [
    {
      name: "series, hot",
      clients: 16,
      pauseMs: 60,
      run: readers(() => pickOne(hot)),
    },
    {
      name: "series, stored",
      clients: 2,
      pauseMs: 150,
      run: readers(() => pickOne(stored)),
    },
    {
      name: "series, from upstream",
      clients: 1,
      pauseMs: 30_000,
      run: (client, { turn }) =>
        readFirst(client, fromUpstream[turn % fromUpstream.length]!),
    },
    {
      name: "checked series",
      clients: 2,
      pauseMs: 150,
      run: (client) => readJson(client, CHAIN_DATA + pickOne(CHECKED)),
    },
    {
      name: "charts",
      clients: 2,
      pauseMs: 250,
      run: (client) => readSvg(client, pickOne(CHARTS)),
    },
    {
      name: "badges",
      clients: 4,
      pauseMs: 60,
      run: (client) => readSvg(client, pickOne(badges)),
    },
    {
      name: "pages",
      clients: 4,
      pauseMs: 250,
      run: (client) => readPage(client, pickOne(PAGES)),
    },
    {
      name: "about and status",
      clients: 1,
      pauseMs: 250,
      run: (client, { turn }) =>
        turn % 5 === 0 ? readHealth(client) : readJson(client, pickOne(FACTS)),
    },
  ];
}

type Turn = Parameters<Workload["run"]>[1];

/** Reads a series with a random encoding. Half of the repeated requests are conditional. */
async function readSeries(
  client: Client,
  path: string,
  known: Map<string, string>,
): Promise<void> {
  const encoding = Math.random() < 0.5 ? "gzip" : "identity";
  const etag = Math.random() < 0.5 ? known.get(path) : undefined;
  const reply = await client.ask(path, {
    headers: {
      "Accept-Encoding": encoding,
      ...(etag === undefined ? {} : { "If-None-Match": etag }),
    },
    good: etag === undefined ? [200] : [200, 304],
  });
  const tag = reply.headers.get("ETag");
  assert(tag !== null, "ETag is missing");
  if (reply.status === 304) {
    assertEquals(reply.text, "");
    return;
  }
  known.set(path, tag);
  if (path.includes("format=csv")) checkCsv(reply);
  else checkSeries(reply);
}

/** Reads a series that is not stored. If it cannot be read now, it is queued. */
async function readFirst(client: Client, path: string): Promise<void> {
  const reply = await client.ask(path, { good: [200, 503] });
  if (reply.status === 200) return checkSeries(reply);
  assertMatch(
    JSON.parse(reply.text).error,
    /it is queued and read next$|waits in the queue of this service/,
  );
  assert(Number(reply.headers.get("Retry-After")) > 0);
}

function checkCsv({ text }: Reply): void {
  const [head, first] = text.split(/\r?\n/);
  assertMatch(head!, /^period,\w+,complete$/);
  assertMatch(first!, /^\d{4}-\d\d-\d\d,/);
}

function checkSeries({ text }: Reply): void {
  const { series } = JSON.parse(text);
  assert(series.length > 0, "the series is empty");
  assertMatch(series.at(-1).day, /^\d{4}-\d\d-\d\d$/);
}

async function readJson(client: Client, path: string): Promise<void> {
  const { text } = await client.ask(path);
  assert(Object.keys(JSON.parse(text)).length > 0, "the answer is empty");
}

/** Reads the health. A database under load may take longer than the probe waits: the answer says so. */
async function readHealth(client: Client): Promise<void> {
  const { status, text } = await client.ask("/api/v1/health", {
    good: [200, 503],
  });
  const { status: health, db } = JSON.parse(text);
  assertEquals(
    [health, db],
    status === 200 ? ["ok", "ok"] : ["degraded", "unreachable"],
  );
}

async function readSvg(client: Client, path: string): Promise<void> {
  const { text } = await client.ask(path);
  assertMatch(text, /^\s*<svg [^]*<\/svg>\s*$/);
}

async function readPage(client: Client, path: string): Promise<void> {
  const { text } = await client.ask(path);
  assertMatch(text, /^\s*<!doctype html>[^]*<\/html>\s*$/i);
}

/** Returns a random item. */
export function pickOne<T>(some: readonly T[]): T {
  return some[Math.floor(Math.random() * some.length)]!;
}

/** Lists every combination of the parameters of `/metrics`. */
function listTargets(chains: readonly number[]): string[] {
  const each = <T>(items: readonly T[], name: string) => (query: object) =>
    items.map((item) => ({ ...query, [name]: item }));
  return each(chains, "chainId")({})
    .flatMap(each(METRIC_NAMES, "metric"))
    .flatMap(each(RANGE_NAMES, "range"))
    .flatMap(each(INTERVALS, "interval"))
    .flatMap(each(FORMATS, "format"))
    .map(targetOf);
}

function targetOf(query: object): string {
  const values = Object.entries(query).map((
    [name, value],
  ) => [name, `${value}`]);
  return `${CHAIN_DATA}/metrics?${new URLSearchParams(values)}`;
}
