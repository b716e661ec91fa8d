/** The chain list, the overview and the daily values of the checked series, as tables. */
import type { ChainList } from "../chain_data/catalogue/chains_store.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
} from "../chain_data/catalogue/check_rules_schema.ts";
import {
  CHECKED_SERIES,
  type CheckedQueries,
} from "../chain_data/overview/checked_series.ts";
import type { DownloadsDeps } from "./deps.ts";
import type { Overview } from "../chain_data/overview/overview_schema.ts";
import { parseDay } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import {
  CHAIN_COLUMNS,
  CHAINS_TABLE,
  CHECKED_COLUMNS,
  checkedTable,
  OVERVIEW_COLUMNS,
  OVERVIEW_TABLE,
} from "./downloads_schema.ts";
import { groupOf, type Table } from "./row_groups.ts";

type TableDeps = Pick<
  DownloadsDeps,
  "log" | "now" | "runningJobs" | "share" | "sleep" | "store" | "upstream"
>;

/** Any age: the sources were just swept. */
const STORED = { maxStaleMs: Infinity };

/** Builds the table of the chain list. */
export function chainsTable(chains: ChainList["chains"]): Table {
  const columns = CHAIN_COLUMNS;
  return {
    name: CHAINS_TABLE,
    columns,
    groups: () => [groupOf(columns, chains)],
  };
}

/** Builds the table of the overview. */
export function overviewTable({ chains }: Overview): Table {
  const columns = OVERVIEW_COLUMNS;
  const rows = chains.map((chain) => ({
    ...chain,
    since: chain.since && parseDay(chain.since),
    day: chain.day && parseDay(chain.day),
    liveSince: chain.liveSince && parseDay(chain.liveSince),
  }));
  return {
    name: OVERVIEW_TABLE,
    columns,
    groups: () => [groupOf(columns, rows)],
  };
}

/** Reads the tables of the checked series. A table is null if its source has no values now. */
export async function readCheckedTables(
  deps: TableDeps,
): Promise<{ readonly name: string; readonly table: Table | null }[]> {
  const tables = [];
  for (const check of CHECK_NAMES) {
    const name = checkedTable(check);
    tables.push({ name, table: await readTable(deps, check) });
  }
  return tables;
}

async function readTable<Name extends CheckName>(
  deps: TableDeps,
  check: Name,
): Promise<Table | null> {
  const columns = CHECKED_COLUMNS[check];
  try {
    const { query, read } = CHECKED_SERIES[check];
    const days = new URLSearchParams(`${CHECKS[check].dailyQuery}range=all`);
    const daily = query.parse(Object.fromEntries(days)) as CheckedQueries[Name];
    const { answer: { series } } = await read(deps, daily, STORED);
    const items = series.map((item) => ({ ...item, day: parseDay(item.day) }));
    const name = checkedTable(check);
    return { name, columns, groups: () => [groupOf(columns, items)] };
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
