/** Rules of what is read and measured: chains, series, own snapshots, scores, and the jobs behind them. */
import type { Chain } from "./metrics_schema.ts";
import { DAY_MS, dayAt, startOfYear } from "../platform/days.ts";
import { MOST_POINTS, type ScoreHistory } from "../scores/score_history.ts";
import type { SeriesId } from "./series/series_id.ts";
import type { BlockSample, ValidatorSnapshot } from "./snapshots.ts";
import type { Head as ChainsHead } from "./chains_store.ts";
import type { JobRun, Lease } from "../platform/jobs/jobs_store.ts";
import * as keys from "../platform/kv/keys.ts";
import { type SeriesHead, yearsOf } from "./series/series_store.ts";
import { MOST_WAITING } from "../scores/waiting_scores_store.ts";
import {
  areDistinct,
  areRising,
  isSame,
  numberAt,
  type Records,
  type Rule,
} from "../platform/kv/store_rule.ts";

const chainsListed: Rule<ChainsHead> = {
  name: "chain-list",
  of: ["chains", "head"],
  demands: "every chain of the list is there",
  async holds({ value: { chainIds } }, { find }) {
    const chains = await Promise.all(
      chainIds.map((chainId) => find<Chain>(keys.chain(chainId))),
    );
    return chains.every((chain, nth) => chain?.chainId === chainIds[nth]);
  },
};

const chainListed: Rule<Chain> = {
  name: "chain",
  of: ["chains", null],
  demands: "a chain is in the list",
  async holds({ key: [, chainId] }, { find }) {
    const head = await find<ChainsHead>(keys.chainsHead());
    return chainId === "head" ||
      head?.chainIds.includes(Number(chainId)) === true;
  },
};

const seriesWhole: Rule<SeriesHead> = {
  name: "series",
  of: ["series", null, null, "head"],
  demands:
    "a series has the years from its first to its newest day, both with a value, and nothing beyond",
  async holds({ key, value: { days } }, records) {
    const years = await listYears(records, seriesAt(key));
    if (!isSame(years.map(({ year }) => year), yearsOf(days))) return false;
    if (days === null) return true;
    const held = years.flatMap(({ year, values }) =>
      Array.from(
        values,
        (value, slot) => ({ value, day: startOfYear(year) + slot }),
      )
    ).filter(({ value }) => !Number.isNaN(value));
    return held[0]?.day === days.first && held.at(-1)?.day === days.newest;
  },
};

const seriesYear: Rule<Float64Array> = {
  name: "series-year",
  of: ["series", null, null, null],
  demands: "a year of a series has a place for each of its days, and a head",
  async holds({ key, value }, { find }) {
    if (key[3] === "head") return true;
    const year = numberAt(key, 3);
    const head = await find<SeriesHead>(keys.seriesHead(seriesAt(key)));
    return head !== null &&
      value.length === startOfYear(year + 1) - startOfYear(year);
  },
};

const validatorDay: Rule<ValidatorSnapshot> = {
  name: "validator-day",
  of: ["validator_days", null],
  demands: "a snapshot of the validators was taken on its day",
  holds: ({ key, value: { day, takenAt } }) =>
    day === key[1] && dayAt(takenAt) === day,
};

const blockSample: Rule<BlockSample> = {
  name: "block-sample",
  of: ["block_samples", null],
  demands:
    "the blocks of a day begin on it, end behind it, and meet those of the next",
  async holds({ key, value }, { find }) {
    const { day, firstBlock, nextDayFirstBlock } = value;
    const next = await find<BlockSample>(keys.blockSample(day + 1));
    return day === key[1] && firstBlock <= nextDayFirstBlock &&
      dayAt(value.firstBlockTimestamp * 1_000) >= day &&
      dayAt(value.nextDayFirstBlockTimestamp * 1_000) > day &&
      (next === null || next.firstBlock === nextDayFirstBlock);
  },
};

const history: Rule<ScoreHistory> = {
  name: "score-history",
  of: ["score_histories", null],
  demands: `a score history is in order, a point a day, ${MOST_POINTS} at most`,
  holds: ({ value: { points } }) =>
    points.length <= MOST_POINTS && areRising(points.map(({ day }) => day)),
};

const waiting: Rule<readonly string[]> = {
  name: "waiting-scores",
  of: ["waiting_scores"],
  demands: `at most ${MOST_WAITING} addresses wait to be scored, each once`,
  holds: ({ value }) => value.length <= MOST_WAITING && areDistinct(value),
};

const recheck: Rule<number> = {
  name: "recheck",
  of: ["rechecks", null],
  demands: "the day from which a source is checked again is a whole number",
  holds: ({ value }) => Number.isSafeInteger(value),
};

const lease: Rule<Lease> = {
  name: "job-lease",
  of: ["job_leases", null],
  demands: "nobody holds a job for a day or longer",
  holds: ({ value: { until } }, { now }) => until < now + DAY_MS,
};

const jobRun: Rule<JobRun> = {
  name: "job-run",
  of: ["job_runs", null],
  demands: "a run of a job that ended came to something or failed, never both",
  holds: ({ key, value: { job, endedAt, outcome, error } }) =>
    job === key[1] &&
    (endedAt === null || (outcome === null) !== (error === null)),
};

const whole: Rule<unknown> = {
  name: "whole-copy",
  of: ["import"],
  demands: "no copy of another store is half put in",
  holds: () => false,
};

/** The rules of what is read and measured. */
export const MEASURED_RULES: readonly Rule<never>[] = [
  chainsListed,
  chainListed,
  seriesWhole,
  seriesYear,
  validatorDay,
  blockSample,
  history,
  waiting,
  recheck,
  lease,
  jobRun,
  whole,
];

function seriesAt([, subject, metric]: Deno.KvKey): SeriesId {
  return { subject, metric } as SeriesId;
}

/** Lists the years of a series that are stored. */
async function listYears(
  { list }: Records,
  id: SeriesId,
): Promise<{ year: number; values: Float64Array }[]> {
  const years = [];
  for await (const { key, value } of list<Float64Array>(keys.series(id))) {
    if (key[3] !== "head") {
      years.push({ year: numberAt(key, 3), values: value });
    }
  }
  return years;
}
