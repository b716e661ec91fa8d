/** The response headers of the open endpoints, for OpenAPI. */
import { listOperations, type OpenApi } from "./openapi_document.ts";

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
    "Access-Control-Allow-Origin",
    "Cache-Control",
    "Content-Disposition",
    "ETag",
  ],
  errors: without(NEGOTIATED, "Access-Control-Allow-Origin"),
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
    data: ["Access-Control-Allow-Origin", "Cache-Control", "Vary"],
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
  getScoreBadge: {
    data: UNDATED,
    errors: without(FAILED, "Access-Control-Expose-Headers"),
  },
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
export function addHeaders(document: OpenApi): void {
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
