/** The answers about downloadable files: the list, and the keys of manifests. */
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
      description:
        "Path of its manifest, in the form of SHA256SUMS; its signature is at the same path with .minisig",
      example: "/downloads/manifests/2026-11-21.sha256",
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
      minisign: z.string().meta({
        description: "The same key as minisign takes it",
        example: "RWQh/jHfoVSiYddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea",
      }),
      status: z.enum(["active", "former"]).meta({
        description: "Whether it signs now, or signed before",
      }),
    }).meta({ id: "ManifestKey" }),
  ).meta({ description: "The current key and former ones" }),
}).meta({ id: "ManifestKeys" });
/** The answer of `GET /.well-known/firn-manifest-key.json`. */
export type ManifestKeys = z.infer<typeof ManifestKeys>;
