/** A fresh service with its jobs and readers on a virtual clock. Its sources have their public limits. */
import { JOBS } from "../../jobs/register_jobs.ts";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { listChains } from "../../simnet/chains.ts";
import { hash32 } from "../../simnet/series/noise.ts";
import { connectionFrom } from "./clients.ts";
import { virtualService } from "./virtual_service.ts";

/** Latency of the Metrics API as observed, in ms. */
const MIN_LATENCY_MS = 500;
const LATENCY_SPREAD_MS = 700;

/** The jobs that run, with the minutes at which they start. */
const SCHEDULE = [
  { name: "refresh-chains", isDue: (minute: number) => minute % 60 === 2 },
  { name: "refresh-series", isDue: () => true },
];

/** Who reads series, one after the other without waiting for the answers. */
interface FreshReader {
  readonly network: string;
  readonly everyMs: number;
  /** Returns the path of the nth request; none after the last one. */
  readonly pathOf: (nth: number) => string | undefined;
  /** Whether it retries when it is told to. */
  readonly retries?: boolean;
}

/** An answer to a reader. */
export interface FreshAnswer {
  readonly network: string;
  readonly path: string;
  readonly askedAt: number;
  readonly at: number;
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  readonly retryAfterS: number;
  readonly isRetry: boolean;
}

/** Returns the path of a series. */
function seriesPath(chainId: number, metric: string): string {
  return `/api/chain-data/metrics?chainId=${chainId}&metric=${metric}&range=30d`;
}

/** Lists the paths of all series in an order without meaning. */
export function mixedPaths(chains: number, seed: string): string[] {
  return listChains(chains).flatMap(({ evmChainId }) =>
    STORED_METRICS.map((metric) => seriesPath(evmChainId, metric))
  ).map((path, nth) => ({ path, rank: hash32(seed, nth) }))
    .toSorted((a, b) => a.rank - b.rank).map(({ path }) => path);
}

/** Opens a fresh service whose chain list is read, and starts its jobs. */
export async function freshService(chains: number) {
  let calls = 0;
  const service = await virtualService({}, {
    chains,
    latencyMs: () =>
      MIN_LATENCY_MS + hash32("latency", calls++) % LATENCY_SPREAD_MS,
  });
  const { app, deps, sleep } = service;
  const nowMs = () => deps.now().getTime();
  const start = nowMs();
  let hasEnded = false;

  async function runJobs() {
    const run = (name: string) =>
      runJob(deps, JOBS.find((job) => job.name === name)!);
    await run("refresh-chains");
    while (!hasEnded) {
      await sleep(MINUTE_MS - nowMs() % MINUTE_MS);
      const minute = Math.floor((nowMs() - start) / MINUTE_MS);
      for (const { name, isDue } of SCHEDULE) {
        if (!hasEnded && isDue(minute)) await run(name);
      }
    }
  }

  async function ask(
    { network, retries }: FreshReader,
    path: string,
    answers: FreshAnswer[],
    isRetry = false,
  ): Promise<void> {
    const askedAt = nowMs();
    const response = await app.request(path, {}, connectionFrom(network));
    const { status, headers } = response;
    const body = await response.json();
    const retryAfterS = Number(headers.get("Retry-After"));
    answers.push({
      network,
      path,
      askedAt,
      at: nowMs(),
      status,
      code: body.code,
      message: body.message ?? "",
      retryAfterS,
      isRetry,
    });
    if (status !== 503 || !retries) return;
    await sleep(retryAfterS * 1_000);
    await ask(
      { network, everyMs: 0, pathOf: () => undefined },
      path,
      answers,
      true,
    );
  }

  return {
    ...service,
    start,
    /** Runs readers until `minutes` have passed and all are answered, with the jobs if `runsJobs`. */
    async read(
      readers: readonly FreshReader[],
      { minutes, runsJobs = true }: {
        readonly minutes: number;
        readonly runsJobs?: boolean;
      },
    ): Promise<FreshAnswer[]> {
      const end = nowMs() + Math.round(minutes * MINUTE_MS);
      const answers: FreshAnswer[] = [];
      const reading = readers.map(async (reader) => {
        const asked: Promise<void>[] = [];
        for (let nth = 0; nowMs() < end; nth++) {
          const path = reader.pathOf(nth);
          if (path === undefined) break;
          asked.push(ask(reader, path, answers));
          await sleep(reader.everyMs);
        }
        await Promise.all(asked);
      });
      const jobs = runsJobs ? runJobs() : undefined;
      const all = Promise.all(reading).then(async () => {
        if (nowMs() < end) await sleep(end - nowMs());
        hasEnded = true;
        // A run of a job would wait for its next call.
        if (runsJobs) deps.runningJobs.stop();
      });
      await service.run(Promise.all([all, jobs]));
      return answers;
    },
  };
}
