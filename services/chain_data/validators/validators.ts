/** The answer of `GET /validators`: counts and stakes per day, compared with the service's own snapshots. */
import {
  currentReads,
  earlierReads,
  SOURCES,
} from "../checks/checked_sources.ts";
import { checkedWindow, compareSources, marksOf } from "../checks/checks.ts";
import type {
  Snapshot,
  ValidatorsAnswer,
  ValidatorsQuery,
} from "./validators_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import type { ChainDataDeps } from "../deps.ts";
import { compareValues } from "../checks/agreement.ts";
import { CHECKS } from "../checks/check_rules_schema.ts";
import { dayAt, parseDay } from "../../platform/days.ts";
import { toAvax, totalStakeOf, type ValidatorSnapshot } from "../snapshots.ts";
import { checkDays } from "../series/window.ts";
import type { FreshnessOptions } from "../../platform/cache/read_through.ts";
import { readSeries } from "../series/series_reader.ts";
import { instantOf, isFinal, readSeriesAsOf } from "../series/vintages.ts";
import { readStaking, STAKING_SERIES } from "./staking_series.ts";

/** Reads the daily counts and stakes of the Primary Network; stakes in AVAX. */
export async function readValidators(
  deps: Pick<ChainDataDeps, "now" | "share" | "store" | "upstream">,
  query: ValidatorsQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<ValidatorsAnswer>> {
  const now = deps.now().getTime();
  const instant = instantOf("asOf", query.asOf, now);
  const today = dayAt(instant ?? now);
  checkDays(query, today);
  const reads = instant === null
    ? currentReads(deps, (id) =>
      readSeries(
        deps,
        id,
        freshness,
        (series) => checkedWindow(series, { query, interval: "day", today }),
      ))
    : earlierReads(deps, instant);
  // The error names the first instant at which all four are recorded.
  if (instant !== null) await readSeriesAsOf(deps, STAKING_SERIES, instant);
  const [staking, second, snapshots] = await Promise.all([
    readStaking(reads.metrics),
    SOURCES.stake.second(reads),
    reads.snapshots(),
  ]);
  if (staking === null) throw new Error("Cannot read staking: no source");
  const { total: ours, on } = staking;
  const { points, range, days, tail, changedAt } = compareSources(
    "stake",
    { ours, second },
    { query, interval: "day", today, instant },
  );
  const taken = new Map(snapshots.map((snapshot) => [snapshot.day, snapshot]));
  const answer: ValidatorsAnswer = {
    chainName: "Primary Network",
    unit: CHECKS.stake.unit,
    token: "AVAX",
    range,
    ...days,
    series: points.map(({ day, value, complete, ...marks }) => {
      const snapshot = taken.get(parseDay(day));
      const compared = snapshot && complete
        ? compareValues(
          value,
          totalStakeOf(snapshot),
          CHECKS.stake.tolerancePct.day,
        )
        : { differencePct: null, agrees: null };
      return {
        day,
        ...on(parseDay(day)),
        snapshot: snapshot ? showSnapshot(snapshot) : null,
        ...compared,
        complete,
        ...marksOf(marks),
      };
    }),
    latestSnapshot: snapshots.length > 0
      ? showSnapshot(snapshots.at(-1)!)
      : null,
    ...tail,
  };
  return {
    answer,
    fetchedAt: ours.validAt ?? ours.fetchedAt,
    changedAt,
    isFinal: isFinal(instant, now),
  };
}

function showSnapshot(snapshot: ValidatorSnapshot): Snapshot {
  const { validators, delegators } = snapshot;
  return {
    validators,
    delegators,
    validatorStake: toAvax(snapshot.validatorStake),
    delegatorStake: toAvax(snapshot.delegatorStake),
    totalStake: totalStakeOf(snapshot),
    takenAt: new Date(snapshot.takenAt).toISOString(),
  };
}
