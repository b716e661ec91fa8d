/** Describes the routes of downloads for OpenAPI. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  FILE_FORMATS,
  INDEX,
} from "../../services/downloads/downloads_schema.ts";
import {
  DownloadsAnswer,
  Manifest,
  ManifestKeys,
} from "../../services/downloads/manifests_schema.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import { BAD_QUERY, json } from "../http/router.ts";
import { DOWNLOADS } from "../http/paths.ts";

const NOT_SENT = {
  ...BAD_QUERY,
  304: { description: "Not modified" },
  412: json(ErrorBody, "If-Match or If-Unmodified-Since names another version"),
};
const UNKNOWN_FILE = { 404: json(ErrorBody, "No such file") };

const tags = ["Downloads"];

/** `GET /downloads/index.json`. */
export const listDownloads = createRoute({
  operationId: "listDownloads",
  description:
    "All files of the newest release, with sizes and hashes. `/downloads/datapackage.json` describes them as a Data Package.",
  tags,
  method: "get",
  path: `${DOWNLOADS}/${INDEX}`,
  summary: "List the downloadable files",
  request: { query: NoQuery },
  responses: {
    200: json(DownloadsAnswer, "The newest release and its files"),
    ...NOT_SENT,
  },
});

/** `GET /downloads/manifests/{date}.json`. */
export const getManifest = createRoute({
  operationId: "getManifest",
  description:
    "The hash of every file of a day's release, and of the previous manifest. Its Ed25519 signature is at the same URL with `.sig` appended.",
  tags,
  method: "get",
  path: `${DOWNLOADS}/manifests/{date}.json`,
  summary: "Read the manifest of a release",
  request: {
    query: NoQuery,
    params: z.object({
      date: z.string().meta({
        description: "UTC day of the release",
        example: "2026-11-21",
      }),
    }),
  },
  responses: {
    200: json(
      Manifest,
      "The manifest; its hash and signature are of its exact bytes",
    ),
    ...NOT_SENT,
    ...UNKNOWN_FILE,
  },
});

/** The bytes of a table's file, by the media types of its formats. */
const BYTES = Object.fromEntries(
  Object.values(FILE_FORMATS)
    .map(({ mediaType }) => [mediaType, { schema: { type: "string" } }]),
) as Record<string, { schema: { type: "string" } }>;

const BYTES_OR_JSON = {
  ...BYTES,
  "application/json": {
    schema: {
      description: "The Data Package, a Table Schema, or the overview",
      example: { name: "firn-chain-data" },
    },
  },
};

/** `GET /downloads/{file}`. */
export const getDownload = createRoute({
  operationId: "getDownload",
  description:
    "A file as `/downloads/index.json` names it, with one byte range at a time: a Parquet reader needs the end of a file and the row groups that it reads. The ETag of a table's file is its SHA-256.",
  tags,
  method: "get",
  path: `${DOWNLOADS}/{file}`,
  summary: "Download a file, or a part of it",
  request: {
    query: NoQuery,
    params: z.object({
      file: z.string().meta({
        description: "Name of the file",
        example: "txCount-2026.parquet",
      }),
    }),
  },
  responses: {
    200: { description: "The file", content: BYTES_OR_JSON },
    206: { description: "The requested bytes", content: BYTES },
    ...NOT_SENT,
    ...UNKNOWN_FILE,
    416: json(
      ErrorBody,
      "The file has no such bytes; Content-Range is its size",
    ),
  },
});

/** `GET /.well-known/firn-manifest-key.json`. */
export const getManifestKeys = createRoute({
  operationId: "getManifestKeys",
  description:
    "The Ed25519 public keys (JWK) of the signatures of manifests: the current one and former ones.",
  tags,
  method: "get",
  path: "/firn-manifest-key.json",
  summary: "Show the keys that sign manifests",
  request: { query: NoQuery },
  responses: { 200: json(ManifestKeys, "The keys"), ...BAD_QUERY },
});
