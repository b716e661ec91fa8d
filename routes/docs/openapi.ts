/** `/openapi.json`, generated from the routes and the schemas that validate requests. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { VERSION } from "../../services/platform/version.ts";
import type { AppDeps } from "../deps.ts";
import { addExamples } from "./openapi_examples.ts";
import { addHeaders } from "./openapi_headers.ts";
import { listOperations, type OpenApi } from "./openapi_document.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter } from "../http/router.ts";
import { sessionScheme } from "../accounts/session.ts";

/** The path of the document. */
export const OPENAPI = "/openapi.json";

const RATE_LIMITED =
  "The network's rate limit is reached; Retry-After says when to try again";

const ERROR_SCHEMA = { $ref: "#/components/schemas/Error" };

const TAGS = [
  {
    name: "Chain data",
    description:
      "Daily metrics of the Avalanche C-Chain and every tracked L1. Four series are checked against a second source. No key needed.",
  },
  {
    name: "Downloads",
    description:
      "Bulk files of all chains, and their signed manifests. No key needed.",
  },
  {
    name: "Scores",
    description:
      "Scores of any C-Chain address: one address live, up to 50 from stored signals, or a daily history. Needs an API key.",
  },
  {
    name: "Attestations",
    description: "Signed scores (EIP-712) and their signers.",
  },
  {
    name: "Embeds",
    description: "Score badges and charts for any web page.",
  },
  { name: "Profiles", description: "Public profiles." },
  {
    name: "Account",
    description: "Signing in with a one-time message, and your own profile.",
  },
  {
    name: "API keys",
    description: "Your API keys. Every change needs a signature.",
  },
  { name: "Payments", description: "Quotes, claims and payments in USDC." },
  {
    name: "Service",
    description:
      "Description and health of the scoring API, and the status of the service.",
  },
] as const;

/** How long the document is kept. It changes with the version only. */
const KEEP = {
  forMs: 5 * MINUTE_MS,
  headers: { "Cache-Control": "public, max-age=300" },
};

/** Registers the security schemes, and serves the document. */
export function openApi(
  app: OpenAPIHono,
  deps: AppDeps,
  answers: ResponseCache,
) {
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
    description: "An API key. It is accepted in this header only",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "Session", {
    ...sessionScheme(deps),
    description:
      "The session cookie of a signed-in wallet. A call that names another wallet in the header `Firn-Wallet` is refused",
  });

  let document: OpenApi | undefined;
  /** Returns the document. The first call generates it, when all routes are registered. */
  const read = () => document ??= generate(app, deps);

  const router = newRouter();
  router.use(OPENAPI, cors());
  router.get(OPENAPI, (c) =>
    answers.send(c, {}, () =>
      Promise.resolve({
        text: JSON.stringify(read()),
        type: "application/json",
        fetchedAt: deps.now().getTime(),
        changedAt: null,
        keep: KEEP,
      })));
  return { router, read };
}

function generate(app: OpenAPIHono, deps: AppDeps): OpenApi {
  const { publicUrl } = deps;
  const generated = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Firn",
      version: VERSION,
      description:
        `Daily on-chain metrics of the Avalanche C-Chain and its L1s without a key, and scores of any C-Chain address with an API key. The guides are at ${publicUrl}/docs.`,
      contact: { name: "Firn", url: `${publicUrl}/docs` },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: publicUrl, description: "This deployment" }],
    security: [],
    tags: [...TAGS],
    externalDocs: { url: `${publicUrl}/docs`, description: "Guides" },
  });
  // A deep copy: the routes share response objects, which must stay unchanged.
  const document: OpenApi = JSON.parse(JSON.stringify(generated));
  addRateLimit(document);
  addHeaders(document);
  addExamples(document);
  return document;
}

/** Adds the 429 response to every operation: the rate limit applies to all. */
function addRateLimit(document: OpenApi): void {
  for (const { operation: { responses } } of listOperations(document)) {
    const refused = responses[429] ??= { description: RATE_LIMITED };
    const content = refused.content ??= {};
    content["application/json"] ??= { schema: { ...ERROR_SCHEMA } };
  }
}
