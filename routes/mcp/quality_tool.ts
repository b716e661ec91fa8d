/** The tool for the quality of the data: `get_chain_quality`. */
import { unknownChain } from "../../services/chain_data/catalogue/chains.ts";
import type { ChainDataDeps } from "../../services/chain_data/deps.ts";
import { readQuality } from "../../services/chain_data/quality/quality.ts";
import type {
  ChainQuality,
  QualityAnswer,
} from "../../services/chain_data/quality/quality_schema.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import type { OpenApi } from "../docs/openapi_document.ts";
import type { AnswerCache } from "./answer_cache.ts";
import { CURSOR, readBody, schemaOf, splitCursor } from "./arguments.ts";
import { ChainArgument } from "./arguments_schema.ts";
import { pageOf, tableOf } from "./tables.ts";
import { type Tool, type ToolAnswer, written } from "./tool.ts";

/** Creates the tool. */
export function qualityTool(
  deps: ChainDataDeps,
  document: OpenApi,
  cache: AnswerCache,
): Tool {
  /** Checking every chain takes long, so that all arguments share one result. */
  const read = async (freshness: FreshnessOptions) => {
    const { answer } = await cache("quality", freshness, async () => {
      const { answer, ...times } = await readQuality(deps);
      return { ...times, answer: { summary: "", ...answer } };
    });
    return answer as ToolAnswer & QualityAnswer;
  };
  return {
    name: "get_chain_quality",
    title: "Quality of the data",
    description:
      "Shows how current each source is, how far the sources of the checked series agree, and which chains' own figures contradict each other. With chainId: the failing days of that chain.",
    inputSchema: schemaOf(document, ["getQuality"], {
      add: {
        chainId: {
          type: "integer",
          minimum: 1,
          description: "EVM chain id of one tracked mainnet chain",
        },
        cursor: CURSOR,
      },
    }),
    async call(given, { freshness }) {
      const { cursor, rest } = splitCursor(given);
      const { chainId: id } = readBody(ChainArgument, rest);
      const quality = await read(freshness);
      if (id === undefined) return written(overviewOf(quality, cursor));
      const chain = quality.chains.find((chain) => chain.chainId === id);
      if (chain === undefined) throw unknownChain(id);
      return written(chainOf(quality, chain, cursor));
    },
  };
}

/** Names the source of the chains' series, and when it was last read. */
function provenanceOf({ sources: [metrics] }: QualityAnswer) {
  return {
    confirmedAt: metrics?.lastSuccessAt ?? null,
    source: metrics?.source ?? null,
  };
}

function overviewOf(
  quality: QualityAnswer,
  cursor: string | undefined,
): ToolAnswer {
  const { chains, sources, checks, withdrawals } = quality;
  const failing = chains.filter(({ failingDayCount }) => failingDayCount > 0)
    .toSorted((a, b) => b.failingDayCount - a.failingDayCount);
  const { page, nextCursor, words } = pageOf(
    failing,
    ({ chainId }) => String(chainId),
    { cursor },
  );
  const disputes = checks
    .reduce((sum, { openDisputeCount }) => sum + openDisputeCount, 0);
  return {
    summary:
      `${failing.length} of ${chains.length} chains have days whose figures ` +
      `contradict each other; ${disputes} open disputes; ${withdrawals.length} runs of withdrawn days.${words}`,
    sources: tableOf(
      ["source", "serves", "lastSuccessAt", "lagHours"],
      sources,
    ),
    checks: tableOf(
      [
        "series",
        "checkedThrough",
        "comparedDayCount",
        "agreementPct",
        "recentAgreementPct",
        "openDisputeCount",
      ],
      checks,
    ),
    ...tableOf(
      ["chainId", "chainName", "checkedDayCount", "failingDayCount"],
      page,
    ),
    nextCursor,
    completeness: {
      chains: chains.length,
      checkedChains: chains.filter((chain) => chain.checkedDayCount > 0)
        .length,
    },
    ...provenanceOf(quality),
  };
}

function chainOf(
  quality: QualityAnswer,
  { chainId, chainName, ...chain }: ChainQuality,
  cursor: string | undefined,
): ToolAnswer {
  const { checkedDayCount, failingDayCount, failingDays } = chain;
  const { page, nextCursor, words } = pageOf(
    failingDays,
    ({ day, identity }) => `${day}/${identity}`,
    { cursor },
  );
  const meanings = quality.identities
    .filter(({ name }) => page.some(({ identity }) => identity === name))
    .map(({ name, meaning }) => [name, meaning] as const);
  return {
    summary:
      `${chainName} (${chainId}): ${failingDayCount} of ${checkedDayCount} checked days fail an identity.${words}`,
    chainId,
    chainName,
    ...tableOf(["day", "identity", "left", "right"], page),
    meanings: Object.fromEntries(meanings),
    nextCursor,
    completeness: {
      checkedDayCount,
      failingDayCount,
      listedDayCount: failingDays.length,
    },
    ...provenanceOf(quality),
  };
}
