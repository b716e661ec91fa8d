/** Store rules of chain data. */
import type { Chain } from "./catalogue/chains_schema.ts";
import { dayAt, startOfYear, yearOf } from "../platform/days.ts";
import type { CheckName } from "./catalogue/check_rules_schema.ts";
import type { ExplorerMetric, SeriesId } from "./catalogue/series_id.ts";
import type { BlockSample, ValidatorSnapshot } from "./checks/measurements.ts";
import type { ChainsHead } from "./catalogue/chains_store.ts";
import * as keys from "./keys.ts";
import type { Publication, Sweep } from "./series/publications_store.ts";
import { seenDays } from "./series/revision_log.ts";
import type { YearLog } from "./series/revision_log_codec.ts";
import { type SeriesHead, yearsOf } from "./series/stored_series.ts";
import {
  ANY,
  ANY_NUMBER,
  isSame,
  numberAt,
  type Records,
  type Rule,
} from "../platform/kv/store_rule.ts";

const ANY_SERIES = { subject: ANY, metric: ANY } as unknown as SeriesId & {
  metric: ExplorerMetric;
};

const ANY_CHECK = ANY as CheckName;

const chainsListed: Rule<ChainsHead> = {
  name: "chain-list",
  of: keys.chainsHead(),
  invariant: "every chain in the head of the list is stored",
  async holds({ value: { chainIds } }, { find }) {
    const chains = await Promise.all(
      chainIds.map((chainId) => find<Chain>(keys.chain(chainId))),
    );
    return chains.every((chain, nth) => chain?.chainId === chainIds[nth]);
  },
};

const chainListed: Rule<Chain> = {
  name: "chain",
  of: keys.chain(ANY_NUMBER),
  invariant: "every stored chain is in the head of the list",
  async holds({ key: [, chainId] }, { find }) {
    const head = await find<ChainsHead>(keys.chainsHead());
    return chainId === "head" ||
      head?.chainIds.includes(Number(chainId)) === true;
  },
};

const seriesWhole: Rule<SeriesHead> = {
  name: "series",
  of: keys.seriesHead(ANY_SERIES),
  invariant:
    "a series has exactly the years from its first to its newest day, and both days have a value",
  async holds({ key, value: { days } }, records) {
    const years = await listYears(records, seriesAt(key));
    if (!isSame(years.map(({ year }) => year), yearsOf(days))) return false;
    if (days === null) return true;
    const values = years.flatMap(({ year, values }) =>
      Array.from(
        values,
        (value, slot) => ({ value, day: startOfYear(year) + slot }),
      )
    ).filter(({ value }) => !Number.isNaN(value));
    return values[0]?.day === days.first &&
      values.at(-1)?.day === days.newest;
  },
};

const seriesYear: Rule<Float64Array> = {
  name: "series-year",
  of: keys.seriesYear(ANY_SERIES, ANY_NUMBER),
  invariant:
    "a year of a series has one slot per day, the series has a head, and a year with values has a log",
  async holds({ key, value }, { find }) {
    if (key[3] === "head") return true;
    const year = numberAt(key, 3);
    const id = seriesAt(key);
    const head = await find<SeriesHead>(keys.seriesHead(id));
    const log = await find(keys.seriesLog(id, year));
    const isEmpty = value.every((each) => Number.isNaN(each));
    return head !== null && (log !== null || isEmpty) &&
      value.length === startOfYear(year + 1) - startOfYear(year);
  },
};

const publication: Rule<Publication> = {
  name: "publication",
  of: keys.publication(),
  invariant:
    "a publication was first read after the reads that did not show it, and confirmed since",
  holds: (
    { value: { publishedAt, confirmedAt, unpublishedAt, previousAt } },
  ) =>
    (previousAt ?? -Infinity) <= (unpublishedAt ?? Infinity) &&
    (unpublishedAt ?? -Infinity) <= publishedAt && publishedAt <= confirmedAt,
};

const sweep: Rule<Sweep> = {
  name: "sweep",
  of: keys.sweep(),
  invariant: "a sweep ended after the publication that started it",
  holds: ({ value: { publishedAt, finishedAt } }) => publishedAt <= finishedAt,
};

const validatorDay: Rule<ValidatorSnapshot> = {
  name: "validator-day",
  of: keys.validatorDay(ANY_NUMBER),
  invariant: "a validator snapshot was taken on its day",
  holds: ({ key, value: { day, takenAt } }) =>
    day === key[1] && dayAt(takenAt) === day,
};

const blockSample: Rule<BlockSample> = {
  name: "block-sample",
  of: keys.blockSample(ANY_NUMBER),
  invariant:
    "the sampled blocks of a day start on that day and end where those of the next day start",
  async holds({ key, value }, { find }) {
    const { day, firstBlock, nextDayFirstBlock } = value;
    const next = await find<BlockSample>(keys.blockSample(day + 1));
    return day === key[1] && firstBlock <= nextDayFirstBlock &&
      dayAt(value.firstBlockTimestamp * 1_000) >= day &&
      dayAt(value.nextDayFirstBlockTimestamp * 1_000) > day &&
      (next === null || next.firstBlock === nextDayFirstBlock);
  },
};

const recheck: Rule<number> = {
  name: "recheck",
  of: keys.recheck(ANY_SERIES.metric),
  invariant: "a recheck cursor is a day number",
  holds: ({ value }) => Number.isSafeInteger(value),
};

const dispute: Rule<number> = {
  name: "dispute",
  of: keys.dispute(ANY_CHECK, ANY_NUMBER),
  invariant: "a dispute was found after its day began",
  holds: ({ key, value }) => dayAt(value) >= numberAt(key, 2),
};

const seriesLog: Rule<YearLog["bytes"]> = {
  name: "series-log",
  of: keys.seriesLog(ANY_SERIES, ANY_NUMBER),
  invariant:
    "a log tells of days of its year, and when each day with a value was first seen",
  async holds({ key, value: bytes }, { find }) {
    const id = seriesAt(key);
    const year = numberAt(key, 4);
    const head = await find<SeriesHead>(keys.seriesHead(id));
    if (head === null) return false;
    const values = await find<Float64Array>(keys.seriesYear(id, year));
    const seen = seenDays([{ year, bytes }]);
    return [...seen].every((day) => yearOf(day) === year) &&
      (values ?? new Float64Array()).every((value, slot) =>
        Number.isNaN(value) || seen.has(startOfYear(year) + slot)
      );
  },
};

/** The rules of chain data. */
export const CHAIN_DATA_RULES: readonly Rule<never>[] = [
  chainsListed,
  chainListed,
  seriesWhole,
  seriesYear,
  publication,
  sweep,
  validatorDay,
  blockSample,
  recheck,
  dispute,
  seriesLog,
];

function seriesAt([, subject, metric]: Deno.KvKey): SeriesId {
  return { subject, metric } as SeriesId;
}

/** Lists the stored years of a series. */
async function listYears(
  { list }: Records,
  id: SeriesId,
): Promise<{ year: number; values: Float64Array }[]> {
  const years = [];
  for await (const { key, value } of list<Float64Array>(keys.series(id))) {
    if (typeof key[3] === "number") {
      years.push({ year: numberAt(key, 3), values: value });
    }
  }
  return years;
}
