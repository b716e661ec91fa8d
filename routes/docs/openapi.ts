/** `/openapi.json`, generated from the routes and the schemas that validate requests. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { VERSION } from "../../services/platform/version.ts";
import type { AppDeps } from "../http/deps.ts";
import {
  listOperations,
  nameOf,
  type OpenApi,
  resolve,
  type Schema,
} from "./openapi_document.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { anyOrigin, newRouter } from "../http/router.ts";
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
  router.use(OPENAPI, anyOrigin());
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

const HEADERS = {
  "Accept-Ranges": "bytes: a part of the file can be requested",
  "Access-Control-Allow-Origin": "Any origin may read the response",
  "Access-Control-Expose-Headers":
    "Headers that scripts of other origins may read",
  "Age": "Seconds since stale data were read; only with max-stale",
  "Cache-Control": "How long the response is current",
  "Content-Disposition":
    "Name of the saved file; chain data have it with format=csv",
  "Content-Encoding": "br or gzip if the client accepts it",
  "Content-Range": "The bytes of a part, and the size of the file",
  "ETag":
    "Version of the data, for If-None-Match; it ignores when the data were read",
  "Last-Modified": "When the data last changed, for If-Modified-Since",
  "Link":
    "Descriptions (RFC 8288): service-desc and service-doc of the API, describedby and collection of a file",
  "RateLimit": "What is left of the rate limit (IETF draft)",
  "RateLimit-Policy": "The rate limit (IETF draft)",
  "Retry-After": "Seconds after which to try again",
  "Vary": "Request headers that the response depends on",
  "X-Request-Id": "Identifies the request in a support question",
} as const;
type HeaderName = keyof typeof HEADERS;

const ANY_ORIGIN: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
];
const UNDATED: readonly HeaderName[] = [
  ...ANY_ORIGIN,
  "Age",
  "Cache-Control",
  "Content-Encoding",
  "ETag",
  "Vary",
];
const DATED: readonly HeaderName[] = [...UNDATED, "Last-Modified"];
const FAILED: readonly HeaderName[] = [
  ...ANY_ORIGIN,
  "Cache-Control",
  "X-Request-Id",
];
/** Of errors that are a page for a browser. */
const NEGOTIATED: readonly HeaderName[] = [...FAILED, "Vary"];
const PICTURE: Sent = {
  data: [
    ...ANY_ORIGIN,
    "Cache-Control",
    "Content-Disposition",
    "ETag",
  ],
  errors: NEGOTIATED,
};
const FILE: readonly HeaderName[] = [
  ...ANY_ORIGIN,
  "Accept-Ranges",
  "Cache-Control",
  "Content-Disposition",
  "ETag",
  "Last-Modified",
  "Link",
];

/** The headers of an operation's answers. */
interface Sent {
  /** With data, and with 304. */
  readonly data: readonly HeaderName[];
  readonly errors: readonly HeaderName[];
}

/** By the tag of open operations. */
const BY_TAG: Readonly<Record<string, Sent>> = {
  "Chain data": { data: DATED, errors: FAILED },
  "Downloads": { data: FILE, errors: NEGOTIATED },
  "Embeds": { data: DATED, errors: NEGOTIATED },
};

/** Of operations that differ from the others of their tag. */
const BY_OPERATION: Readonly<Record<string, Partial<Sent>>> = {
  getChainData: { data: [...UNDATED, "Link"] },
  getQuality: { data: UNDATED },
  listDownloads: { data: without(DATED, "Age") },
  getManifest: { data: without(UNDATED, "Age") },
  getManifestKeys: {
    data: [...ANY_ORIGIN, "Cache-Control", "Vary"],
  },
  // A frame shows the page, so no script of another origin reads it.
  getChartEmbed: {
    data: without(DATED, ...ANY_ORIGIN),
    errors: without(NEGOTIATED, "Access-Control-Allow-Origin"),
  },
  getChartPicture: PICTURE,
  getChainCard: PICTURE,
  getScoreCard: PICTURE,
  getProfileCard: PICTURE,
  getScoreBadge: { data: UNDATED, errors: NEGOTIATED },
};

/** Statuses of answers with data. */
const DATA_STATUSES: readonly string[] = ["200", "206", "304"];

/** Further headers by status. */
const BY_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  206: ["Content-Range"],
  416: ["Content-Range"],
  429: ["RateLimit", "RateLimit-Policy", "Retry-After"],
  503: ["Retry-After"],
};

function without(
  names: readonly HeaderName[],
  ...left: readonly HeaderName[]
): readonly HeaderName[] {
  return names.filter((name) => !left.includes(name));
}

/** Adds the headers of every response of the open endpoints. */
function addHeaders(document: OpenApi): void {
  for (const [tag, ofTag] of Object.entries(BY_TAG)) {
    for (const { operation } of listOperations(document, tag)) {
      const { operationId, responses } = operation;
      const sent = { ...ofTag, ...BY_OPERATION[operationId] };
      const isCsv = "text/csv" in (responses[200]?.content ?? {});
      for (const [status, response] of Object.entries(responses)) {
        const isData = DATA_STATUSES.includes(status);
        const names = new Set<HeaderName>([
          ...isData ? sent.data : sent.errors,
          ...isData && isCsv ? ["Content-Disposition"] as const : [],
          ...BY_STATUS[status] ?? [],
        ]);
        response.headers = Object.fromEntries(
          Array.from(
            names,
            (name) => [name, { $ref: `#/components/headers/${name}` }],
          ),
        );
      }
    }
  }
  document.components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );
}

/**
 * Adds an example to each JSON body. Error bodies share the example of their schema.
 * That of a parameter moves from its schema to the parameter, where tools look for it.
 */
function addExamples(document: OpenApi): void {
  for (const { operation } of listOperations(document)) {
    for (const parameter of operation.parameters ?? []) {
      const { example, ...schema } = parameter.schema;
      if (example === undefined) continue;
      Object.assign(parameter, { schema, example });
    }
    const bodies = [
      operation.requestBody,
      ...Object.values(operation.responses),
    ];
    for (const body of bodies) {
      const json = body?.content?.["application/json"];
      if (json === undefined || nameOf(json.schema) === "Error") continue;
      json.example = exampleOf(document, json.schema);
    }
  }
}

/**
 * Returns a schema's own example, or one composed from its required parts; undefined
 * if a part has none.
 */
function exampleOf(document: OpenApi, schema: Schema): unknown {
  const resolved = resolve(document, schema);
  const { example, enum: values, items, properties } = resolved;
  const { anyOf, oneOf, allOf, required = [] } = resolved;
  if (example !== undefined) return example;
  if (values !== undefined) return values[0];
  const alternative = anyOf?.[0] ?? oneOf?.[0];
  if (alternative !== undefined) return exampleOf(document, alternative);
  if (allOf !== undefined) {
    return allOf.reduce(
      (whole, part) => Object.assign(whole, exampleOf(document, part)),
      {},
    );
  }
  if (items !== undefined) return [exampleOf(document, items)];
  if (properties === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, field]) => [name, exampleOf(document, field)] as const),
  );
}
