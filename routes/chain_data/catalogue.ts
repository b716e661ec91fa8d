/** `GET /api/chain-data` and `GET /chains`. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  ChainDataAnswer,
  describeChainData,
} from "../../services/chain_data/quality/about.ts";
import { readChains } from "../../services/chain_data/checks/coverage.ts";
import { FormatQuery } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { ChainsAnswer } from "../../services/chain_data/catalogue/chains_schema.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import { csvContent, jsonContent } from "../http/representation.ts";
import { SERVICE_LINKS } from "../http/paths.ts";
import { newRouter, successOf, UPSTREAM_DOWN } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";

const getChainData = createRoute({
  operationId: "getChainData",
  description:
    "The catalogue: each metric with its unit, its kind and how days are aggregated, each endpoint with its parameters, the sources, and the rules about incomplete points and gaps.",
  tags: ["Chain data"],
  method: "get",
  path: "/",
  summary: "Describe this API: metrics, endpoints, sources and rules",
  request: { query: NoQuery },
  responses: successOf(ChainDataAnswer, "The description"),
});

const getChains = createRoute({
  operationId: "getChains",
  description:
    "Every mainnet chain that the Metrics API tracks, with its EVM chain id, its name and the symbol of its token. `chainId` of `/metrics` takes these ids.",
  tags: ["Chain data"],
  method: "get",
  path: "/chains",
  summary: "List the tracked mainnet chains",
  request: { query: FormatQuery },
  responses: {
    ...successOf(ChainsAnswer, "The chains, ordered by id", ["csv"]),
    ...UPSTREAM_DOWN,
  },
});

const COLUMNS = ["chainId", "chainName", "token", "blockchainId", "subnetId"];

/** Serves the description and the chain list. */
export function chainData(
  deps: ChainDataDeps,
  answers: ResponseCache,
): OpenAPIHono {
  return newRouter()
    .openapi(getChainData, (c) => {
      const query = c.req.valid("query");
      const describe = () => ({
        ...jsonContent(describeChainData(deps)),
        headers: { Link: SERVICE_LINKS },
      });
      return answers.send(c, query, () => Promise.resolve(describe()));
    })
    .openapi(getChains, (c) => {
      const query = c.req.valid("query");
      return answers.send(c, query, async (freshness) => {
        const cacheable = await readChains(deps, freshness);
        return query.format === "json"
          ? jsonContent(cacheable)
          : csvContent(cacheable, {
            name: "chains",
            columns: COLUMNS,
            rows: cacheable.answer.chains,
          });
      });
    });
}
