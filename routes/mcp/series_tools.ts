/** Tools for chains and their series: `list_chains`, `get_metric_series`, `compare_chains`. */
import { matchesSearch } from "../../services/chain_data/catalogue/chains.ts";
import { readChains } from "../../services/chain_data/checks/coverage.ts";
import { MAX_SEARCH } from "../../services/chain_data/overview/overview_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import {
  METRICS,
  type MetricsAnswer,
  MetricsQuery,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { readCheckedMetrics } from "../../services/chain_data/checks/index_checks.ts";
import type { OpenApi } from "../docs/openapi_document.ts";
import type { AnswerCache } from "./answer_cache.ts";
import {
  CURSOR,
  readBody,
  readQuery,
  schemaOf,
  splitCursor,
} from "./arguments.ts";
import {
  ChainsArgument,
  COMPARED,
  SearchArgument,
} from "./arguments_schema.ts";
import { completenessOf, statsOf, wordsOf } from "./series_stats.ts";
import { pageOf, rounded, tableOf } from "./tables.ts";
import type { Tool } from "./tool.ts";
import { minOf } from "../../services/platform/extremes.ts";

/** Creates the tools. */
export function seriesTools(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool[] {
  return [
    listChains(deps, document, cache),
    getSeries(deps, document, cache),
    compareChains(deps, document, cache),
  ];
}

function listChains(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  return {
    name: "list_chains",
    title: "List chains",
    description:
      "Lists the tracked Avalanche mainnet chains with EVM chain id, name and token. The other tools take these ids.",
    inputSchema: schemaOf(document, ["getChains"], {
      add: {
        search: {
          type: "string",
          maxLength: MAX_SEARCH,
          description: "Part of a name, a token symbol or a chain id",
        },
        cursor: CURSOR,
      },
    }),
    call: (given, { freshness }) => {
      const { cursor, rest } = splitCursor(given);
      const search = readBody(SearchArgument, rest).search.trim().toLowerCase();
      const key = JSON.stringify(["list_chains", search, cursor]);
      return cache(key, freshness, async (fresh) => {
        const { answer, ...times } = await readChains(deps, fresh);
        const found = answer.chains
          .filter((chain) => matchesSearch(chain, search));
        const { page, nextCursor, words } = pageOf(
          found,
          ({ chainId }) => String(chainId),
          { cursor },
        );
        const which = search === "" ? "" : ` match "${search}"`;
        return {
          ...times,
          answer: {
            summary:
              `${found.length} of ${answer.count} tracked chains${which}.${words}`,
            ...tableOf(["chainId", "chainName", "token"], page),
            nextCursor,
            completeness: { listed: answer.count, matched: found.length },
            confirmedAt: answer.fetchedAt,
            source: answer.source,
          },
        };
      });
    },
  };
}

function getSeries(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  return {
    name: "get_metric_series",
    title: "Metric series of a chain",
    description:
      "Reads a daily, weekly or monthly series of one metric of one chain: statistics of the complete points, then the newest points. Do not average over days in completeness.incomplete; days in completeness.gaps have no value.",
    inputSchema: schemaOf(document, ["getMetrics"], {
      add: { cursor: CURSOR },
    }),
    call: (given, { freshness }) => {
      const { cursor, rest } = splitCursor(given);
      const query = readQuery(MetricsQuery, rest);
      const key = JSON.stringify(["get_metric_series", query, cursor]);
      return cache(key, freshness, async (fresh) => {
        const { answer, ...times } = await readCheckedMetrics(
          deps,
          query,
          fresh,
        );
        const { page, nextCursor, words } = pageOf(
          answer.series,
          ({ day }) => day,
          { cursor, from: "end" },
        );
        const stats = statsOf(answer);
        return {
          ...times,
          answer: {
            summary: `${titleOf(answer)}. ${wordsOf(stats)}${words}`,
            ...factsOf(answer),
            chainId: answer.chainId,
            chainName: answer.chainName,
            token: answer.token,
            stats,
            ...tableOf(["day", "value"], page),
            nextCursor,
            completeness: completenessOf(answer, page),
            check: answer.check,
            confirmedAt: answer.confirmedAt,
            source: answer.source,
          },
        };
      });
    },
  };
}

function compareChains(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  const { least, most } = COMPARED;
  return {
    name: "compare_chains",
    title: "Compare chains",
    description:
      `Reads one metric of ${least} to ${most} chains over the same days: statistics of each chain, then one column per chain, joined by day. A chain without a value on a day has null.`,
    inputSchema: schemaOf(document, ["getMetrics"], {
      omit: ["chainId"],
      add: {
        chainIds: {
          type: "array",
          items: { type: "integer", minimum: 1 },
          minItems: least,
          maxItems: most,
          description: "EVM chain ids of tracked mainnet chains",
        },
        cursor: CURSOR,
      },
      required: ["chainIds"],
    }),
    call: (given, { freshness }) => {
      const { cursor, rest: { chainIds, ...rest } } = splitCursor(given);
      const queries = readBody(ChainsArgument, { chainIds }).chainIds
        .map((chainId) => readQuery(MetricsQuery, { ...rest, chainId }));
      const key = JSON.stringify(["compare_chains", queries, cursor]);
      return cache(key, freshness, async (fresh) => {
        const settled = await Promise.allSettled(
          queries.map((query) => readCheckedMetrics(deps, query, fresh)),
        );
        // In the order of the chains, so that an error names the same one each time.
        const found = settled.map((read) => {
          if (read.status === "rejected") throw read.reason;
          return read.value;
        });
        return {
          answer: comparisonOf(found.map(({ answer }) => answer), cursor),
          fetchedAt: minOf(found.map(({ fetchedAt }) => fetchedAt)),
          changedAt: null,
        };
      });
    },
  };
}

function comparisonOf(
  answers: readonly MetricsAnswer[],
  cursor: string | undefined,
) {
  const byDay = answers.map(({ series }) =>
    new Map(series.map(({ day, value }) => [day, value]))
  );
  const days = [...new Set(byDay.flatMap((values) => [...values.keys()]))]
    .toSorted();
  const { page, nextCursor, words } = pageOf(days, (day) => day, {
    cursor,
    from: "end",
  });
  const shown = new Set(page);
  const chains = answers.map((answer) => ({
    chainId: answer.chainId,
    chainName: answer.chainName,
    token: answer.token,
    stats: statsOf(answer),
    completeness: completenessOf(
      answer,
      answer.series.filter(({ day }) => shown.has(day)),
    ),
    confirmedAt: answer.confirmedAt,
  }));
  // With range=all, the first day is that of each chain. The last one is that of the query.
  const whole = {
    ...answers[0]!,
    from: answers.map(({ from }) => from).toSorted()[0]!,
  };
  // Amounts of different tokens, or of one that is not known, have no order.
  const [{ token }] = chains as [typeof chains[number]];
  const isRanked = whole.unit !== "avax" ||
    token !== null && chains.every((chain) => chain.token === token);
  const listed = isRanked
    ? chains.toSorted((a, b) =>
      (b.stats?.mean ?? -Infinity) - (a.stats?.mean ?? -Infinity)
    )
    : chains;
  const means = listed.map(({ chainName, chainId, token, stats }) => {
    const unit = isRanked ? "" : ` ${token ?? "of its own token"}`;
    return `${chainName} (${chainId}) ${
      stats === null ? "no complete point" : `${stats.mean}${unit}`
    }`;
  });
  const order = isRanked
    ? "highest first"
    : "each in the chain's own token, so they are not ranked";
  const { metric, interval, from, to } = whole;
  return {
    summary: `${metric} of ${chains.length} chains by ${interval}, ${from} ` +
      `to ${to}${instantsOf(whole)}. Means of complete points, ${order}: ${
        means.join(", ")
      }.${words}`,
    ...factsOf(whole),
    chains,
    columns: ["day", ...chains.map(({ chainId }) => String(chainId))],
    rows: page.map((day) => [
      day,
      ...byDay.map((values) => {
        const value = values.get(day);
        return value === undefined ? null : rounded(value);
      }),
    ]),
    nextCursor,
    completeness: {
      dataThrough: answers.map(({ dataThrough }) => dataThrough ?? "")
        .toSorted()[0] || null,
      chainsWithGaps: answers.filter(({ gaps }) => gaps.length > 0)
        .map(({ chainId }) => chainId),
    },
    confirmedAt: chains.map(({ confirmedAt }) => confirmedAt).toSorted()[0],
    source: whole.source,
  };
}

function titleOf(answer: MetricsAnswer): string {
  const { metric, chainName, chainId, interval, from, to, series } = answer;
  return `${metric} of ${chainName} (${chainId}) by ${interval}, ${from} to ` +
    `${to}${instantsOf(answer)}, ${series.length} points`;
}

/** Says that an answer is of an earlier instant, or of the changed days alone. */
function instantsOf(
  { asOf, updatedAfter }: Pick<MetricsAnswer, "asOf" | "updatedAfter">,
): string {
  return (asOf === undefined ? "" : `, as of ${asOf}`) +
    (updatedAfter === undefined
      ? ""
      : `, only days that changed after ${updatedAfter}`);
}

/** Returns what every answer about a metric says of it. */
function factsOf(
  { metric, unit, kind, interval, aggregation, from, to, ...answer }:
    MetricsAnswer,
) {
  const { meaning } = METRICS[metric];
  const { asOf, updatedAfter } = answer;
  return {
    metric,
    meaning,
    unit,
    kind,
    interval,
    aggregation,
    from,
    to,
    asOf,
    updatedAfter,
  };
}
