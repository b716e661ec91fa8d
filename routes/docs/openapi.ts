/** `/openapi.json`: both surfaces and the account, from the schemas that validate. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { etag } from "hono/etag";
import { cors } from "hono/cors";
import { VERSION } from "../../services/platform/version.ts";
import {
  FIELD_MEANINGS,
  OWN_MEANINGS,
} from "../../services/platform/field_meanings_schema.ts";
import type { AppDeps } from "../deps.ts";
import { addExamples, readExamples } from "./openapi_examples.ts";
import { listOperations, type OpenApi, type Schema } from "./openapi_schema.ts";
import { newRouter } from "../http/router.ts";
import { sessionScheme } from "../middleware/session.ts";

/** Where the document is. */
export const OPENAPI = "/openapi.json";

const TOO_MUCH =
  "More than fair use, of requests or of calls to an upstream; Retry-After says when to ask again";

const ERROR_SCHEMA = { $ref: "#/components/schemas/Error" };

const TAGS = [
  {
    name: "Chain data",
    description:
      "Daily metrics of the Avalanche C-Chain and every tracked L1, four of them checked against a second source. Open to everybody.",
  },
  {
    name: "Scores",
    description:
      "Scores of any C-Chain address: one live, many from the store, one a day. With an API key.",
  },
  {
    name: "Attestations",
    description: "Signed scores (EIP-712), and who signs them.",
  },
  {
    name: "Embeds",
    description: "Scores as badges and series as charts, for pages of anybody.",
  },
  { name: "Profiles", description: "What anybody may know of a profile." },
  {
    name: "Account",
    description:
      "Signing in by a one-time message, and the profile of the wallet signed in.",
  },
  {
    name: "API keys",
    description: "Keys in the hands of their owner; every change is signed.",
  },
  { name: "Payments", description: "Quotes, claims and payments in USDC." },
  {
    name: "Service",
    description: "What the scoring API offers, and how the service does.",
  },
] as const;

/** Registers what the document needs beside routes, and serves it. */
export function openApi(app: OpenAPIHono, deps: AppDeps) {
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
    description: "An API key; it is accepted nowhere else",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "Session", {
    ...sessionScheme(deps),
    description: "The session of a wallet that has signed in",
  });

  let written: Promise<OpenApi> | undefined;
  /** Reads the document, which is put together when it is first asked for. */
  const read = () =>
    written ??= write(app, deps).catch((error) => {
      written = undefined;
      throw error;
    });

  const router = newRouter();
  router.use(OPENAPI, cors(), etag());
  router.get(OPENAPI, async (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(await read());
  });
  return { router, read };
}

async function write(app: OpenAPIHono, deps: AppDeps): Promise<OpenApi> {
  const { publicUrl } = deps;
  const generated = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Firn",
      version: VERSION,
      description:
        `Daily on-chain metrics of the Avalanche C-Chain and its L1s, open to everybody, and scores of any C-Chain address behind an API key. Guides are at ${publicUrl}/docs.`,
      contact: { name: "Firn", url: `${publicUrl}/docs` },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: publicUrl, description: "This deployment" }],
    security: [],
    tags: [...TAGS],
    externalDocs: { url: `${publicUrl}/docs`, description: "Guides" },
  });
  // A copy by way of text: what is said of one field must get neither into the
  // registry's own objects nor to the other fields of the same schema object.
  const document: OpenApi = JSON.parse(JSON.stringify(generated));
  addFairUse(document);
  addMeanings(document);
  addExamples(document, await readExamples(publicUrl));
  return document;
}

/** Any operation may be refused to who has asked for more than its share. */
function addFairUse(document: OpenApi): void {
  for (const { operation: { responses } } of listOperations(document)) {
    const refused = responses[429] ??= { description: TOO_MUCH };
    const content = refused.content ??= {};
    content["application/json"] ??= { schema: { ...ERROR_SCHEMA } };
  }
}

/** Says what fields and parameters mean where their schema does not. */
function addMeanings(document: OpenApi): void {
  for (const [id, schema] of Object.entries(document.components.schemas)) {
    describeFields(id, schema);
  }
  for (const { operation } of listOperations(document)) {
    for (const parameter of operation.parameters ?? []) {
      const meaning = parameter.schema.description ??
        FIELD_MEANINGS[parameter.name];
      if (meaning !== undefined) parameter.description ??= meaning;
    }
  }
}

function describeFields(id: string, schema: Schema): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const meaning = OWN_MEANINGS[`${id}.${name}`] ?? FIELD_MEANINGS[name];
    if (field.$ref === undefined && meaning !== undefined) {
      field.description ??= meaning;
    }
    describeFields(id, field);
  }
  const { items, additionalProperties, anyOf, oneOf, allOf } = schema;
  const parts = [items, additionalProperties, anyOf, oneOf, allOf].flat();
  for (const part of parts) {
    if (typeof part === "object") describeFields(id, part);
  }
}
