/** The tool for what sources changed afterwards: `get_revisions`. */
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { listSources } from "../../services/chain_data/quality/quality.ts";
import { readRevisions } from "../../services/chain_data/series/revisions.ts";
import {
  REVISION_FIELDS,
  RevisionsQuery,
} from "../../services/chain_data/series/revisions_schema.ts";
import type { OpenApi } from "../docs/openapi_document.ts";
import type { AnswerCache } from "./answer_cache.ts";
import { readQuery, schemaOf } from "./arguments.ts";
import { tableOf } from "./tables.ts";
import type { Tool } from "./tool.ts";

/** Creates the tool. */
export function revisionsTool(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  return {
    name: "get_revisions",
    title: "Revised values",
    description:
      "Lists the values of complete days that the source of a chain changed afterwards, last seen first, with the value before and after. asOf of get_metric_series returns the values of an earlier instant.",
    inputSchema: schemaOf(document, ["getRevisions"]),
    call: (given, { freshness }) => {
      const query = readQuery(RevisionsQuery, given);
      const key = JSON.stringify(["get_revisions", query]);
      return cache(key, freshness, async () => {
        const { answer, ...times } = await readRevisions(deps, query);
        const { chainId, chainName, count, revisions, nextCursor } = answer;
        const newest = revisions[0];
        const last = newest === undefined
          ? ""
          : ` The last seen: ${newest.metric} of ${newest.day}, ${
            wordsOf(newest.oldValue)
          } to ${wordsOf(newest.newValue)} (${newest.cause}).`;
        const more = nextCursor === null ? "" : " nextCursor leads to more.";
        return {
          ...times,
          answer: {
            summary: `${count} revisions of ${
              chainName === null
                ? `chains ${query.chainIds}`
                : `${chainName} (${chainId})`
            }.${last}${more}`,
            chainId: chainId ?? undefined,
            chainName: chainName ?? undefined,
            ...tableOf(REVISION_FIELDS, revisions),
            nextCursor: nextCursor ?? undefined,
            completeness: { count, isLast: nextCursor === null },
            confirmedAt: new Date(times.fetchedAt).toISOString(),
            source: (await listSources(deps))[0]!.source,
          },
        };
      });
    },
  };
}

function wordsOf(value: number | null): number | string {
  return value ?? "no value";
}
