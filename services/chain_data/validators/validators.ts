/** The answer of `GET /validators`: counts and stakes per day, compared with the service's own snapshots. */
import {
  readsFor,
  readStaking,
  SOURCES,
  STAKING_SERIES,
} from "../checks/checked_sources.ts";
import { compareOnDay, compareSources, marksOf } from "../checks/comparison.ts";
import type {
  CacheableAnswer,
  FreshnessOptions,
} from "../../platform/cache.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { CHECKS } from "../catalogue/cross_checks_schema.ts";
import { parseDay } from "../../platform/days.ts";
import {
  toAvax,
  totalStakeOf,
  type ValidatorSnapshot,
} from "../checks/measurements.ts";
import { isFinal, readSeriesAsOf } from "../series/vintages.ts";
import type { ReadDeps } from "../series/deps.ts";
import type {
  Snapshot,
  ValidatorsAnswer,
  ValidatorsQuery,
} from "../checks/checked_series_schema.ts";

/** Reads the daily counts and stakes of the Primary Network; stakes in AVAX. */
export async function readValidators(
  deps: ReadDeps<ChainDataDeps>,
  query: ValidatorsQuery,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<ValidatorsAnswer>> {
  const { now, instant, today, reads } = readsFor(
    deps,
    { query, interval: "day" },
    freshness,
  );
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
      const counted = snapshot === undefined ? null : totalStakeOf(snapshot);
      const compared = counted !== null && complete
        ? compareOnDay("stake", value, counted)
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
    validatorStake: toAvaxOrNull(snapshot.validatorStake),
    delegatorStake: toAvaxOrNull(snapshot.delegatorStake),
    totalStake: totalStakeOf(snapshot),
    takenAt: new Date(snapshot.takenAt).toISOString(),
  };
}

function toAvaxOrNull(nAvax: bigint | null): number | null {
  return nAvax === null ? null : toAvax(nAvax);
}
