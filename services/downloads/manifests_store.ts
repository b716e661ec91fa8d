/**
 * Store of manifests. They are kept for ever: each names the hash of the previous one.
 */
import * as keys from "../chain_data/keys.ts";

/** A manifest as stored. */
export interface StoredManifest {
  readonly date: string;
  /** Absent for a JSON document, which has the other facts in itself. */
  readonly format?: "sha256";
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its bytes, compressed with gzip. */
  readonly zipped: Uint8Array<ArrayBuffer>;
  /** Its signature: in minisign's format, of a JSON document 64 bytes; null if it is not signed. */
  readonly signature: Uint8Array<ArrayBuffer> | null;
  readonly signedBy?: string | null;
  /** The manifest before; null for the first one. */
  readonly previous?: { readonly date: string; readonly sha256: string } | null;
  /** When its release was built, epoch ms. */
  readonly builtAt?: number;
  /** Newest day that the source had published. */
  readonly newestDay?: number;
}

/** Manifests in a store. */
export function manifestStore(kv: Deno.Kv) {
  return {
    /** Finds the manifest of a date, YYYY-MM-DD. */
    async find(date: string): Promise<StoredManifest | null> {
      return (await kv.get<StoredManifest>(keys.downloadManifest(date))).value;
    },

    /** Finds the newest manifest. */
    async findNewest(): Promise<StoredManifest | null> {
      const prefix = keys.downloadManifests();
      const newest = kv.list<StoredManifest>({ prefix }, {
        reverse: true,
        limit: 1,
      });
      for await (const { value } of newest) return value;
      return null;
    },
  };
}
