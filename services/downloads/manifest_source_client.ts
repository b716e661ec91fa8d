/** Reads downloads and their manifests from a deployment or from a folder. */
import type { ManifestSource } from "./manifest_check.ts";

/** The file with the keys: at the well-known path of a deployment, beside the files of a folder. */
const KEYS = "firn-manifest-key.json";

/** Returns whether a text is the URL of a deployment. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

/** Reads a deployment by its base URL, or by that of its downloads. */
export function deploymentSource(url: string): ManifestSource {
  const base = url.replace(/\/+$/, "").replace(/\/downloads$/, "");
  const read = async (path: string) => {
    const response = await fetch(`${base}/${path}`);
    if (response.status === 404) {
      await response.body?.cancel();
      return null;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`Cannot read ${base}/${path}: HTTP ${response.status}`);
    }
    return await response.bytes();
  };
  return {
    read: (path) => read(`downloads/${path}`),
    readKeys: () => read(`.well-known/${KEYS}`),
    listDates: () => Promise.resolve(null),
    isPartial: false,
  };
}

/** Reads a folder with the files as `/downloads/` names them. */
export function folderSource(folder: string): ManifestSource {
  const read = async (path: string) => {
    try {
      return await Deno.readFile(`${folder}/${path}`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  };
  return {
    read,
    readKeys: () => read(KEYS),
    async listDates() {
      const dates: string[] = [];
      try {
        for await (const { name } of Deno.readDir(`${folder}/manifests`)) {
          const [, date] = /^(\d{4}-\d{2}-\d{2})\.json$/.exec(name) ?? [];
          if (date !== undefined) dates.push(date);
        }
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
      return dates;
    },
    isPartial: true,
  };
}
