/** The answers about downloadable files: the list, manifests and their keys. */
import { z } from "@hono/zod-openapi";
import { Day, Instant } from "../platform/wire_schema.ts";

const Sha256 = z.string().meta({
  description: "SHA-256 in hexadecimal",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

const FileName = z.string().meta({
  description: "Name of the file below /downloads/",
  example: "txCount-2026.parquet",
});

const Bytes = z.int().meta({ description: "Size in bytes", example: 412331 });

/** A file in the list of all files. */
const ListedFile = z.object({
  name: FileName,
  table: z.string().meta({
    description: "The table that the file holds, the same in all formats",
    example: "txCount-2026",
  }),
  format: z.string().meta({
    description: "csv, ndjson, parquet or json",
    example: "parquet",
  }),
  rows: z.int().nullable().meta({
    description: "Rows of the table; null for a document",
    example: 61320,
  }),
  bytes: Bytes,
  sha256: Sha256,
  changedOn: Day.meta({ description: "The release that changed the file" }),
}).meta({ id: "Download" });

/** The answer of `GET /downloads/index.json`. */
export const DownloadsAnswer = z.object({
  release: z.object({
    date: Day.meta({ description: "The UTC day of the release" }),
    builtAt: Instant.meta({ description: "When it was built" }),
    dataThrough: Day.meta({
      description:
        "Newest day that the source had published; it may be incomplete",
    }),
    manifest: z.string().meta({
      description: "Path of its manifest",
      example: "/downloads/manifests/2026-11-21.json",
    }),
    manifestSha256: Sha256,
    signedBy: z.string().nullable().meta({
      description: "Id of the key that signed the manifest; null if unsigned",
      example: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    }),
  }).nullable().meta({
    description: "The newest release; null before the first one",
  }),
  files: z.array(ListedFile).meta({
    description: "All files of the release, by name",
  }),
}).meta({ id: "Downloads" });
/** The answer of `GET /downloads/index.json`. */
export type DownloadsAnswer = z.infer<typeof DownloadsAnswer>;

/** A manifest: `GET /downloads/manifests/{date}.json`. */
export const Manifest = z.object({
  format: z.literal("firn-manifest-1").meta({ description: "Its format" }),
  date: Day.meta({ description: "The UTC day of the release" }),
  publisher: z.string().meta({
    description: "Base URL of the deployment",
    example: "https://firn.example",
  }),
  source: z.string().meta({
    description: "Source of the metrics",
    example: "Avalanche Metrics API (metrics.avax.network)",
  }),
  builtAt: Instant.meta({ description: "When the release was built" }),
  dataThrough: Day.meta({
    description:
      "Newest day that the source had published; it may be incomplete",
  }),
  revisionCount: z.int().meta({
    description:
      "Number of values that were replaced so far, in all series of the metric files",
    example: 41,
  }),
  files: z.array(
    z.object({ name: FileName, bytes: Bytes, sha256: Sha256 })
      .meta({ id: "ManifestFile" }),
  ).meta({ description: "All files, by name" }),
  previous: z.object({
    date: Day.meta({ description: "Its date" }),
    sha256: Sha256.meta({ description: "SHA-256 of its exact bytes" }),
  }).nullable().meta({
    description: "The previous manifest; null for the first one",
  }),
  signedBy: z.string().nullable().meta({
    description:
      "Id of the key whose signature is at the same URL with .sig; null if unsigned",
    example: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  }),
}).meta({ id: "Manifest" });
/** A manifest. */
export type Manifest = z.infer<typeof Manifest>;

/** The answer of `GET /.well-known/firn-manifest-key.json`. */
export const ManifestKeys = z.object({
  enabled: z.boolean().meta({
    description: "Whether this deployment signs manifests",
    example: true,
  }),
  keys: z.array(
    z.object({
      kty: z.literal("OKP").meta({ description: "Key type (RFC 8037)" }),
      crv: z.literal("Ed25519").meta({ description: "Curve" }),
      x: z.string().meta({
        description: "The public key, base64url",
        example: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      }),
      kid: z.string().meta({
        description: "Its id: the JWK thumbprint (RFC 7638)",
        example: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      }),
      status: z.enum(["active", "former"]).meta({
        description: "Whether it signs now, or signed before",
      }),
    }).meta({ id: "ManifestKey" }),
  ).meta({ description: "The current key and former ones" }),
}).meta({ id: "ManifestKeys" });
/** The answer of `GET /.well-known/firn-manifest-key.json`. */
export type ManifestKeys = z.infer<typeof ManifestKeys>;
