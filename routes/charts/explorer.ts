/** The explorer at `/`. */
import {
  ExplorerQuery,
  type ExplorerState,
  type ExplorerView,
  keptChoices,
  type ListedChain,
  listForExplorer,
  readExplorer,
  resolveState,
  resolveValidParts,
  suggestChains,
  ValidParts,
} from "../../services/charts/explorer.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { listChecks } from "../../services/chain_data/quality/quality.ts";
import { choicesOf } from "../../services/charts/charts_schema.ts";
import { isFresh } from "../../services/platform/cache.ts";
import { Fault, isOutage, isStoreBusy } from "../../services/platform/fault.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { headOfFault } from "../pages/on_error.ts";
import { answerPage, prefersPage } from "../pages/page.ts";
import { pageContent } from "../pages/page_content.ts";
import { networkOfClient } from "../http/client_address.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { checkInput } from "../http/validation_errors.ts";
import { isRenderRefused } from "../http/render_queue.ts";
import { newRouter } from "../http/router.ts";
import type { ChainMistake } from "./explorer_form.ts";
import type { Proof } from "./explorer_page.ts";
import { explorerPath } from "./explorer_links.ts";
import {
  type DownloadsDeps,
  retrievedNow,
} from "../../services/downloads/downloads.ts";

/** Serves the explorer. Other spellings of a query redirect to its canonical URL. */
export function explorer(
  deps: DownloadsDeps,
  pages: ResponseCache,
) {
  const { publicUrl } = deps;
  return newRouter().get("/", async (c) => {
    // Loaded with the first page: the module imports d3 packages.
    const { explorerPage } = await import("./explorer_page.ts");
    const chains = await listForExplorer(deps);
    const given = lastValues(c.req.queries());
    let state = resolveValidParts(ValidParts.parse(given), chains);
    try {
      const { search } = new URL(c.req.url);
      const query = checkInput(ExplorerQuery, given, "page");
      state = resolveState(query, chains);
      const kept = keptChoices(query, state, chains);
      const path = explorerPath(state, kept);
      if (search !== "" && path !== `/${search}`) return c.redirect(path, 302);
      // The first page says what Firn is; a chosen chart comes alone.
      const isFirst = search === "";
      return await pages.send(
        c,
        isFirst ? "/" : path,
        async ({ client }) => {
          const [{ answer: shown, fetchedAt }, cited, proof] = await Promise
            .all([
              readExplorer(deps, state, { maxStaleMs: 0, client }),
              retrievedNow(deps),
              isFirst ? readProof(deps) : undefined,
            ]);
          const now = deps.now();
          return pageContent(
            explorerPage({
              state,
              kept,
              chains,
              shown,
              publicUrl,
              cited,
              at: now,
              ...proof !== undefined && { proof },
            }),
            now,
            isFresh({ fetchedAt }, now.getTime()) ? {} : { forMs: 0 },
          );
        },
      );
    } catch (error) {
      if (!(error instanceof Fault) || !prefersPage(c)) throw error;
      // The page of the explorer costs as much as a chart.
      if (isRenderRefused(error) || isStoreBusy(error)) throw error;
      const head = headOfFault(c, error);
      const { "Retry-After": retryAfter, ...headers } = head.headers;
      // A chain without a metric is no outage: the page says so, beside another chart.
      const isLacking = error.failure.kind === "upstreamLacks";
      const status = isLacking ? 200 : head.status;
      // By this, the request log distinguishes an outage from a defect.
      if (!isLacking) c.error = error;
      const problem = {
        status,
        message: redactKeys(error.message),
        failure: error.failure,
        retryAfterS: retryAfter === undefined || isLacking
          ? null
          : Number(retryAfter),
        mistake: mistakeOf(error, given, chains),
      };
      const client = networkOfClient(deps, c);
      const shown = await readInstead(deps, { state, chains, client }, error);
      const page = explorerPage({
        state,
        chains,
        shown: shown ?? problem,
        publicUrl,
        problem,
      });
      const isStored = shown !== null && isOutage(error.failure);
      return answerPage(c, page, {
        status: isStored ? 200 : status,
        headers: isLacking ? headers : head.headers,
      });
    }
  });
}

/**
 * Reads the chart that stands in for one that a mistake prevents: that of the valid
 * parts, without an unknown chain, the transactions of a chain that lacks the
 * metric, and if new figures can't be read now, the stored ones. Null if that can't be
 * read either.
 */
async function readInstead(
  deps: DownloadsDeps,
  { state, chains, client }: {
    readonly state: ExplorerState;
    readonly chains: readonly ListedChain[];
    readonly client: string | undefined;
  },
  { failure }: Fault,
): Promise<ExplorerView | null> {
  const known = state.chainIds.filter((id) =>
    chains.some(({ chainId }) => chainId === id)
  );
  const query = { metric: "txCount", chainId: known } as const;
  const instead = failure.kind === "badInput"
    ? failure.parameter === "from" || failure.parameter === "to"
      ? {
        ...state,
        range: choicesOf(state.metric).usualRange,
        from: undefined,
        to: undefined,
      }
      : state
    : failure.kind === "unknownChain"
    ? { ...state, chainIds: known.length === 0 ? [C_CHAIN] : known }
    : isOutage(failure)
    // Nothing stored would be waited for again.
    ? failure.kind === "notReadYet" && failure.dataThrough === undefined
      ? null
      : state
    : failure.kind === "upstreamLacks" && state.metric !== "txCount"
    ? resolveState(
      { ...query, range: state.range ?? undefined },
      chains,
    )
    : null;
  if (instead === null) return null;
  try {
    const freshness = { maxStaleMs: Infinity, client };
    return (await readExplorer(deps, instead, freshness)).answer;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Reads how far the two sources of the C-Chain's transactions agree; null if they were never read. */
async function readProof(deps: DownloadsDeps): Promise<Proof | null> {
  const checks = await listChecks(deps);
  return checks.find(({ series }) => series === "transactions") ?? null;
}

/** Returns the text that names no single chain, with similar chains; undefined for other faults. */
function mistakeOf(
  { failure }: Fault,
  given: Record<string, unknown>,
  chains: readonly ListedChain[],
): ChainMistake | undefined {
  const field = failure.kind === "badInput" ? failure.parameter : undefined;
  if (field !== "chain" && field !== "compare") return undefined;
  // A text above the limit of the field is not compared with every chain.
  const text = ValidParts.parse(given)[field];
  if (text === undefined) return undefined;
  const suggestions = suggestChains(text, chains).map((chain) => ({
    chain,
    state: resolveValidParts(
      ValidParts.parse({ ...given, [field]: String(chain.chainId) }),
      chains,
    ),
  }));
  return { field, text: redactKeys(text), suggestions };
}

/** Takes the last value of a repeated parameter. `chainId` is a list. */
function lastValues(
  queries: Record<string, string[]>,
): Record<string, unknown> {
  const last = Object.entries(queries)
    .map(([name, values]) => [name, values.at(-1)] as const);
  return { ...Object.fromEntries(last), chainId: queries.chainId ?? [] };
}
