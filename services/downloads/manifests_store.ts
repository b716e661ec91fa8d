/**
 * Store of manifests. They are kept for ever: each names the hash of the previous one.
 */
import * as keys from "../chain_data/keys.ts";

/** A manifest as stored. */
export interface StoredManifest {
  readonly date: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its bytes, compressed with gzip. */
  readonly zipped: Uint8Array<ArrayBuffer>;
  /** The signature over its bytes; null if it is not signed. */
  readonly signature: Uint8Array<ArrayBuffer> | null;
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
