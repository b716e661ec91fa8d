/** The pages of the check: `/disputes`, `/revisions` and `/days/{series}/{chainId}/{day}`. */
import { z } from "@hono/zod-openapi";
import {
  type Metric,
  METRIC_NAMES,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { readChainList } from "../../services/chain_data/catalogue/chains.ts";
import {
  DayPath,
  readDayProof,
} from "../../services/chain_data/checks/day_proof.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import { redoCalls } from "../../services/chain_data/checks/redo_calls.ts";
import type { ChainDataDeps } from "../../services/chain_data/overview/deps.ts";
import { listChecks } from "../../services/chain_data/quality/quality.ts";
import { readRevisions } from "../../services/chain_data/series/revisions.ts";
import { dayAt, formatDay } from "../../services/platform/days.ts";
import { Fault } from "../../services/platform/fault.ts";
import { DISPUTES, REVISIONS } from "../http/paths.ts";
import { checkQuery } from "../http/query.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter } from "../http/router.ts";
import { invalidInput } from "../http/validation_errors.ts";
import { pageContent } from "../pages/page_content.ts";

/** Revisions of a page. */
const MAX_SHOWN = 200;

const RevisedQuery = z.object({
  metric: z.enum(METRIC_NAMES).default("txCount"),
});

/** Serves the pages through the cache of pages. */
export function proofPages(deps: ChainDataDeps, pages: ResponseCache) {
  const { now, publicUrl } = deps;
  // Loaded with the first page: the module imports the words of charts.
  const views = () => import("./proof_pages_view.ts");
  return newRouter()
    .get(DISPUTES, (c) =>
      pages.send(c, {}, async () => {
        const [{ disputesPage }, { answer }, checks] = await Promise.all([
          views(),
          readDisputes(deps),
          listChecks(deps),
        ]);
        return pageContent(disputesPage(answer, { checks, publicUrl }), now());
      }))
    .get(REVISIONS, (c) => {
      const { metric } = checkQuery(c, RevisedQuery);
      return pages.send(c, { metric }, async () => {
        const { revisionsPage } = await views();
        const answer = await readAllRevisions(deps, metric);
        return pageContent(revisionsPage(answer, { metric, publicUrl }), now());
      });
    })
    .get("/days/:series/:chainId/:day", (c) => {
      const path = checkPath(c.req.param());
      return pages.send(c, path, async ({ client }) => {
        const [{ dayPage }, proof] = await Promise.all([
          views(),
          readDayProof(deps, path, { maxStaleMs: 0, client }),
        ]);
        if (proof === null) {
          throw new Fault(
            `Cannot show ${path.series} of chain ${path.chainId}: it has not been read yet`,
            { kind: "unknownPath" },
          );
        }
        const calls = redoCalls(path, deps);
        const today = formatDay(dayAt(now().getTime()));
        return pageContent(
          dayPage(proof, { calls, publicUrl, today }),
          now(),
        );
      });
    });
}

/** Reads the last seen revisions of a metric of all chains. */
async function readAllRevisions(deps: ChainDataDeps, metric: Metric) {
  // Names rarely change, so a stored list of any age is accepted.
  const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
  const chainIds = [...new Set(chains.map(({ chainId }) => chainId))];
  const query = { chainIds, metric, limit: MAX_SHOWN, format: "json" } as const;
  return (await readRevisions(deps, query)).answer;
}

function checkPath(data: Record<string, string>): DayPath {
  const checked = DayPath.safeParse(data);
  if (checked.success) return checked.data;
  const { error } = checked;
  throw invalidInput({ target: "path", data, error, queries: () => [] });
}
