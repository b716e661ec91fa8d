/** Cold answers as of an instant, and what the logs of revisions cost other cold answers. */
import process from "node:process";
import { createApp } from "../../routes/app.ts";
import type { StoredMetric } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  DAY_MS,
  formatDay,
  parseDay,
  startOfDay,
} from "../../services/platform/days.ts";
import { type TestDeps, testDeps } from "../../tests/support/deps.ts";
import { succeed } from "../../tests/support/jobs.ts";
import { randomFrom } from "../../tests/support/random.ts";
import { putSeries } from "../../tests/support/series.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { median } from "../measure/statistics.ts";

const C_CHAIN = 43114;
const FIRST = "2020-09-23";
const START = "2025-11-14T08:00:00.000Z";

/** Days that are read one by one, each with the revisions of real sources. */
const DAILY_READS = 365;
const REVISED = 6 / 90;

/** The same values: of one, every change is logged; the other one was stored at once. */
const LOGGED = "txCount" satisfies StoredMetric;
const STORED_AT_ONCE = "gasUsed" satisfies StoredMetric;

/** Measures CPU time per answer, in turns. Every request has a window of its own, so none is cached. */
export async function measureVintages(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  using deps = await testDeps({ start: START, chains: 2 });
  await putHistories(deps);
  const app = createApp(deps);
  const last = deps.now().getTime();
  const asOf = new Date(last - 60 * DAY_MS).toISOString();
  const kinds = {
    logged: `metric=${LOGGED}`,
    atOnce: `metric=${STORED_AT_ONCE}`,
    asOf: `metric=${LOGGED}&asOf=${asOf}`,
  };
  const to = formatDay(parseDay(asOf.slice(0, 10)) - 20);
  async function ask(query: string, from: number): Promise<void> {
    const path = `/api/chain-data/metrics?${query}&to=${to}&from=${
      formatDay(from)
    }`;
    const response = await app.request(path);
    const text = await response.text();
    if (!response.ok) throw new Error(`Cannot use ${path}: ${text}`);
  }
  const rounds = short ? 30 : 150;
  const times: Record<keyof typeof kinds, number[]> = {
    logged: [],
    atOnce: [],
    asOf: [],
  };
  const all = Object.entries(kinds);
  for (let round = 0; round < rounds; round++) {
    // Each kind has the same windows, and is as often the first of a round.
    const turn = round % all.length;
    for (const [kind, query] of [...all.slice(turn), ...all.slice(0, turn)]) {
      const first = parseDay(FIRST) + round * 4;
      const before = cpuMs();
      for (let nth = 1; nth <= 4; nth++) await ask(query, first + nth);
      times[kind as keyof typeof kinds].push((cpuMs() - before) / 4);
    }
  }
  const [logged, atOnce, then] = [times.logged, times.atOnce, times.asOf]
    .map(median) as [number, number, number];
  const shared = { unit: "ms CPU" };
  return [
    {
      ...shared,
      name: "cold answer as of an instant",
      value: then,
      peer: logged,
      target: { of: "ratio", is: "<=", than: 2 },
    },
    {
      ...shared,
      name: "cold answer of a series with a year of logs",
      value: logged,
      peer: atOnce,
      target: { of: "ratio", is: "<=", than: 1.1 },
    },
  ];
}

/** Stores both series; the last year of one is read day by day. */
async function putHistories(deps: TestDeps): Promise<void> {
  const random = randomFrom(15);
  await succeed(deps, "refresh-chains");
  const first = parseDay(FIRST);
  const count = parseDay(START.slice(0, 10)) - first;
  const values = Array.from(
    { length: count },
    () => Math.floor(random() * 2e6),
  );
  const put = (metric: StoredMetric) =>
    putSeries(deps, { subject: C_CHAIN, metric }, { from: FIRST, values });
  await put(LOGGED);
  for (let nth = 0; nth < DAILY_READS; nth++) {
    deps.advance(startOfDay(1));
    values.push(Math.floor(random() * 2e6));
    if (random() < REVISED) values[values.length - 5]! += 1;
    await put(LOGGED);
  }
  await put(STORED_AT_ONCE);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
