/** The response headers of the open endpoints, for OpenAPI. */
import { listOperations, type OpenApi } from "./openapi_document.ts";

const HEADERS = {
  "Access-Control-Allow-Origin": "Any origin may read the response",
  "Access-Control-Expose-Headers":
    "Headers that scripts of other origins may read",
  "Age": "Seconds since stale data were read; only with max-stale",
  "Cache-Control": "How long the response is current",
  "Content-Disposition": "Name of the downloaded file; only with format=csv",
  "Content-Encoding": "br or gzip if the client accepts it",
  "ETag":
    "Version of the data, for If-None-Match; it ignores when the data were read",
  "Last-Modified": "When the data last changed, for If-Modified-Since",
  "Link": "This document, as service-desc, and the guides, as service-doc",
  "RateLimit": "What is left of the rate limit (IETF draft)",
  "RateLimit-Policy": "The rate limit (IETF draft)",
  "Retry-After": "Seconds after which to try again",
  "Vary": "Request headers that the response depends on",
  "X-Request-Id": "Identifies the request in a support question",
} as const;
type HeaderName = keyof typeof HEADERS;

const CROSS_ORIGIN: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Cache-Control",
  "Vary",
];
const CACHED: readonly HeaderName[] = [
  ...CROSS_ORIGIN,
  "Age",
  "Content-Encoding",
  "ETag",
  "Last-Modified",
];
const FAILED: readonly HeaderName[] = [...CROSS_ORIGIN, "X-Request-Id"];

/** Headers by status; other statuses have those of an error. */
const BY_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  200: CACHED,
  304: CACHED,
  429: [...FAILED, "RateLimit", "RateLimit-Policy", "Retry-After"],
  503: [...FAILED, "Retry-After"],
};

/** Tags of the operations that answer cached data to any origin. */
const TAGS = ["Chain data", "Embeds"] as const;

/** Headers that an operation never sends, although others of its tag do. */
interface Lacking {
  /** With 200 and 304. */
  readonly data?: readonly HeaderName[];
  readonly errors?: readonly HeaderName[];
}

const UNDATED: Lacking = { data: ["Last-Modified"] };
/** A frame shows the page, so no script of another origin reads it. */
const FRAMED: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
];

const LACKING: Readonly<Record<string, Lacking>> = {
  getChainData: UNDATED,
  getQuality: UNDATED,
  getChartEmbed: { data: FRAMED, errors: FRAMED },
  getOEmbed: {
    data: ["Access-Control-Expose-Headers", "Age", "ETag", "Last-Modified"],
  },
  getScoreBadge: {
    ...UNDATED,
    errors: ["Access-Control-Expose-Headers", "Vary"],
  },
};

/** Errors of these are JSON, whatever the client accepts. */
const JSON_TAG = "Chain data";

/** Adds the headers of every response of the open endpoints. */
export function addHeaders(document: OpenApi): void {
  const operations = TAGS.flatMap((tag) =>
    listOperations(document, tag).map(({ operation }) => ({ tag, operation }))
  );
  for (const { tag, operation: { operationId, responses } } of operations) {
    const lacking = LACKING[operationId] ?? {};
    const isDownload = "text/csv" in (responses[200]?.content ?? {});
    const own: HeaderName[] = [
      ...isDownload ? ["Content-Disposition"] as const : [],
      ...operationId === "getChainData" ? ["Link"] as const : [],
    ];
    for (const [status, response] of Object.entries(responses)) {
      const isData = ["200", "304"].includes(status);
      const unsent: readonly HeaderName[] = isData
        ? lacking.data ?? []
        : tag === JSON_TAG
        ? ["Vary"]
        : lacking.errors ?? [];
      const names = [
        ...BY_STATUS[status] ?? FAILED,
        ...isData ? own : [],
      ].filter((name) => !unsent.includes(name));
      response.headers = Object.fromEntries(
        names.map((
          name,
        ) => [name, { $ref: `#/components/headers/${name}` }]),
      );
    }
  }
  document.components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );
}
