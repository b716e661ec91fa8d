/** Store rules of the downloadable files. */
import type { StoredTable } from "./downloads_store.ts";
import { bytesOf } from "./manifests.ts";
import type { StoredManifest } from "./manifests_store.ts";
import * as keys from "../chain_data/keys.ts";
import { ANY, type Rule } from "../platform/kv/store_rule.ts";
import { sha256Hex } from "../platform/sha256.ts";

const releasedTable: Rule<StoredTable> = {
  name: "download-table",
  of: keys.downloadTable(ANY),
  invariant: "the files of a released table have all of their bytes",
  async holds({ key, value: { name, files } }, { list }) {
    for (const { version, bytes } of files) {
      let stored = 0;
      const chunks = list<Uint8Array>(keys.downloadChunks(version));
      for await (const { value } of chunks) stored += value.byteLength;
      if (stored !== bytes) return false;
    }
    return key[1] === name;
  },
};

const manifest: Rule<StoredManifest> = {
  name: "download-manifest",
  of: keys.downloadManifest(ANY),
  invariant:
    "a manifest has its hash, and names the hash of the previous stored one",
  async holds({ key, value }, { find }) {
    const bytes = await bytesOf(value);
    if (sha256Hex(bytes) !== value.sha256) return false;
    const { date, previous = null } = value.format
      ? value
      : JSON.parse(new TextDecoder().decode(bytes)) as StoredManifest;
    if (date !== key[1]) return false;
    if (previous === null) return true;
    const before = await find<StoredManifest>(
      keys.downloadManifest(previous.date),
    );
    return before?.sha256 === previous.sha256;
  },
};

/** The rules of the downloadable files. */
export const DOWNLOAD_RULES: readonly Rule<never>[] = [releasedTable, manifest];
