/** What the open surface offers: its description, and the tracked chains. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { describeChainData } from "../services/about.ts";
import { readChains } from "../services/chains.ts";
import {
  ChainDataAnswer,
  ChainsAnswer,
  FormatQuery,
  NoQuery,
} from "../services/contract/chain.ts";
import type { Deps } from "../services/deps.ts";
import { csvContent, jsonContent } from "./content.ts";
import { answersOf, newRouter } from "./router.ts";
import type { WarmAnswers } from "./warm_answers.ts";

const getChainData = createRoute({
  method: "get",
  path: "/",
  summary: "The metric catalogue, the endpoints, the sources and the rules",
  request: { query: NoQuery },
  responses: answersOf(ChainDataAnswer, "What this surface offers"),
});

const getChains = createRoute({
  method: "get",
  path: "/chains",
  summary: "The tracked mainnet chains",
  request: { query: FormatQuery },
  responses: answersOf(ChainsAnswer, "The chains in the order of their ids"),
});

/** Serves the description and the chain list. */
export function chainData(deps: Deps, answers: WarmAnswers): OpenAPIHono {
  return newRouter()
    .openapi(
      getChainData,
      (c) =>
        answers.send(
          c,
          () => Promise.resolve(jsonContent(describeChainData(deps))),
        ),
    )
    .openapi(getChains, (c) => {
      const { format } = c.req.valid("query");
      return answers.send(c, async (tolerance) => {
        const dated = await readChains(deps, tolerance);
        return format === "json" ? jsonContent(dated) : csvContent(dated, {
          columns: [
            "chainId",
            "chainName",
            "token",
            "blockchainId",
            "subnetId",
          ],
          rows: dated.answer.chains,
        });
      });
    });
}
