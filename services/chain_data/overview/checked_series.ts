/** The four checked series: the schema of each query, and the use case that reads the answer. */
import type { z } from "@hono/zod-openapi";
import type {
  CacheableAnswer,
  FreshnessOptions,
} from "../../platform/cache.ts";
import { readBlockProduction } from "../blocks/block_production.ts";
import {
  BlocksQuery,
  type CheckedTail,
  TotalsQuery,
  ValidatorsQuery,
} from "../checks/checked_series_schema.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { readValidators } from "../validators/validators.ts";
import type { CheckName } from "../catalogue/cross_checks_schema.ts";
import { readFees, readTransactions } from "../checks/checked_totals.ts";
import type { ReadDeps } from "../series/deps.ts";

/** The checked query of each series. */
export interface CheckedQueries {
  readonly transactions: TotalsQuery;
  readonly fees: TotalsQuery;
  readonly blocks: BlocksQuery;
  readonly stake: ValidatorsQuery;
}

/** What the four answers share. */
interface CheckedAnswer extends CheckedTail {
  readonly unit: string;
  readonly from: string;
  readonly to: string;
  readonly series: readonly { readonly day: string; complete: boolean }[];
}

/** Every checked series by name. */
export const CHECKED_SERIES: {
  readonly [Name in CheckName]: {
    readonly query: z.ZodObject & z.ZodType<CheckedQueries[Name]>;
    readonly read: (
      deps: ReadDeps<ChainDataDeps>,
      query: CheckedQueries[Name],
      freshness: FreshnessOptions,
    ) => Promise<CacheableAnswer<CheckedAnswer>>;
  };
} = {
  transactions: { query: TotalsQuery, read: readTransactions },
  fees: { query: TotalsQuery, read: readFees },
  blocks: { query: BlocksQuery, read: readBlockProduction },
  stake: { query: ValidatorsQuery, read: readValidators },
};
