/** The whole HTTP surface. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { trimTrailingSlash } from "hono/trailing-slash";
import type { Deps } from "../services/deps.ts";
import { Fault } from "../services/domain/fault.ts";
import { chainData } from "./chain_data.ts";
import { requestId } from "hono/request-id";
import { VERSION } from "../services/contract/access.ts";
import { about } from "./about.ts";
import { keyed } from "./caller.ts";
import { crossChecked } from "./cross_checked.ts";
import { metrics } from "./metrics.ts";
import { answerFault, onError } from "./on_error.ts";
import { CHAIN_DATA, SCORING } from "./paths.ts";
import { quality } from "./quality.ts";
import { scores } from "./scores.ts";
import { newRouter } from "./router.ts";
import { warmAnswers } from "./warm_answers.ts";

/** Creates the app. */
export function createApp(deps: Deps): OpenAPIHono {
  const app = newRouter();
  const answers = warmAnswers(deps);
  app.onError(onError(deps));
  app.notFound((c) =>
    answerFault(
      c,
      new Fault(
        `Cannot find ${c.req.path}: ${CHAIN_DATA} lists what there is`,
        {
          kind: "unknownPath",
        },
      ),
    )
  );
  app.use(
    `${CHAIN_DATA}/*`,
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ["Cache-Control", "If-None-Match"],
      maxAge: 86_400,
    }),
  );
  app.use(trimTrailingSlash());
  app.use(methodNotAllowed({
    app,
    onMethodNotAllowed: (c, allowed) =>
      answerFault(
        c,
        new Fault(
          `Cannot ${c.req.method} ${c.req.path}: accepted are ${
            allowed.join(", ")
          }`,
          { kind: "methodNotAllowed", allowed },
        ),
      ),
  }));
  app.route(CHAIN_DATA, chainData(deps, answers));
  app.route(CHAIN_DATA, metrics(deps, answers));
  app.route(CHAIN_DATA, crossChecked(deps, answers));
  app.route(CHAIN_DATA, quality(deps, answers));
  app.use(`${SCORING}/*`, requestId());
  app.route(SCORING, about(deps));
  for (const path of ["score/*", "usage"]) {
    app.use(`${SCORING}/${path}`, keyed(deps));
  }
  app.route(SCORING, scores(deps));
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
  });
  app.doc31("/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Firn", version: VERSION },
    servers: [{ url: deps.publicUrl }],
  });
  // Warm answers come before all else: they are complete as they are, and the
  // runtime is quickest with a handler that answers at once.
  const { fetch } = app;
  app.fetch = (request, ...rest) =>
    answers.recall(request) ?? fetch(request, ...rest);
  return app;
}
