/** Tools for the checked series, disputes and quality: `get_checked_series`, `list_disputes`, `get_chain_quality`. */
import type { z } from "@hono/zod-openapi";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
} from "../../services/chain_data/catalogue/check_rules_schema.ts";
import {
  CHECKED_SERIES,
  type CheckedQueries,
} from "../../services/chain_data/overview/checked_series.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import { DISPUTE_FIELDS } from "../../services/chain_data/checks/disputes_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import type { OpenApi } from "../docs/openapi_document.ts";
import type { AnswerCache } from "./answer_cache.ts";
import {
  CURSOR,
  readBody,
  readQuery,
  schemaOf,
  splitCursor,
} from "./arguments.ts";
import { SeriesArgument } from "./arguments_schema.ts";
import { pageOf, tableOf } from "./tables.ts";
import type { Arguments, Tool } from "./tool.ts";

/** Disputed days that an answer about a series lists; `list_disputes` has them all. */
const MAX_DISPUTED_DAYS = 10;

/** Validates the arguments of a series. Returns its query and how to read it. */
function prepare<Name extends CheckName>(name: Name, given: Arguments) {
  const { query: schema, read } = CHECKED_SERIES[name];
  const query = readQuery<z.ZodType<CheckedQueries[Name]>>(schema, given);
  return {
    query,
    read: (deps: ChainDataDeps, freshness: FreshnessOptions) =>
      read(deps, query, freshness),
  };
}

/** Creates the tool for checked series. */
export function checkedSeriesTool(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  const operationIds = CHECK_NAMES.map((name) => CHECKS[name].operationId);
  return {
    name: "get_checked_series",
    title: "Checked series",
    description:
      "Reads a C-Chain or Primary Network series that is checked against a second source: transactions and fees (by month or day), blocks (by day, with mean block time) or stake (validators and delegators, by day). agrees is null if a bucket was not compared.",
    inputSchema: schemaOf(document, operationIds, {
      add: {
        series: {
          type: "string",
          enum: CHECK_NAMES,
          description:
            "Which series; interval is for transactions and fees, window for blocks",
        },
        cursor: CURSOR,
      },
      required: ["series"],
    }),
    call: (given, { freshness }) => {
      const { cursor, rest: { series: name, ...rest } } = splitCursor(given);
      const { series } = readBody(SeriesArgument, { series: name });
      const { query, read } = prepare(series, rest);
      const { endpoint } = CHECKS[series];
      const columns: string[] = ["day", ...CHECKS[series].columns];
      const key = JSON.stringify(["checked", series, query, cursor]);
      return cache(key, freshness, async (fresh) => {
        const { answer, ...times } = await read(deps, fresh);
        const { page, nextCursor, words } = pageOf(
          answer.series,
          ({ day }) => day,
          { cursor, from: "end" },
        );
        const { unit, from, to, asOf, checks, disputedDayCount } = answer;
        const agreed = checks.agreementPct === null
          ? "No day could be compared"
          : `The sources agree on ${checks.agreementPct} % of ${checks.comparedDayCount} compared days`;
        return {
          ...times,
          answer: {
            summary: `${series} (${endpoint}), ${from} to ${to}, ` +
              `${answer.series.length} points. ${agreed}; ${disputedDayCount} disputed.${words}`,
            unit,
            from,
            to,
            asOf,
            ...tableOf(columns as "day"[], page),
            nextCursor,
            checks: {
              source: checks.source,
              tolerancePct: checks.tolerancePct,
              checkedThrough: checks.checkedThrough,
              agreementPct: checks.agreementPct,
              recentAgreementPct: answer.recentAgreementPct,
              disputedDayCount,
              newestDisputedDays: checks.disputedDays.map(({ day }) => day)
                .toSorted().slice(-MAX_DISPUTED_DAYS),
            },
            completeness: {
              dataThrough: answer.dataThrough,
              lastPeriodComplete: answer.lastPeriodComplete,
              incomplete: page.filter(({ complete }) => !complete)
                .map(({ day }) => day),
              gaps: answer.gaps,
            },
            confirmedAt: answer.confirmedAt,
            source: answer.source,
          },
        };
      });
    },
  };
}

/** Creates the tool for disputes. */
export function disputesTool(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  return {
    name: "list_disputes",
    title: "Open disputes",
    description:
      "Lists every day on which two sources disagree beyond the tolerance, of the checked series and of every chain that a second source covers, newest first, with both values.",
    inputSchema: schemaOf(document, ["getDisputes"], {
      add: { cursor: CURSOR },
    }),
    call: (given, { freshness }) => {
      const { cursor } = splitCursor(given);
      const key = JSON.stringify(["list_disputes", cursor]);
      return cache(key, freshness, async () => {
        const { answer, ...times } = await readDisputes(deps);
        const { disputes, count, checkedAt } = answer;
        const { page, nextCursor, words } = pageOf(
          disputes,
          ({ day, series, chainId }) => `${day}/${series}/${chainId}`,
          { cursor },
        );
        const newest = disputes[0];
        const sources = new Map(
          disputes.map(({ series, source, crossCheckSource }) =>
            [series, { source, crossCheckSource }] as const
          ),
        );
        return {
          ...times,
          answer: {
            summary: newest === undefined
              ? "No dispute is open."
              : `${count} open disputes; the newest is ${newest.series} of ${newest.chainName} on ${newest.day}.${words}`,
            ...tableOf(["day", ...DISPUTE_FIELDS, "foundAt"], page),
            nextCursor,
            completeness: { count },
            confirmedAt: checkedAt,
            source: Object.fromEntries(sources),
          },
        };
      });
    },
  };
}
