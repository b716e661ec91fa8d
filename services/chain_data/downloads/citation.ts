/** Citations of figures: when they were retrieved, and the manifest that vouches for them. */
import { manifestPath } from "./manifests.ts";
import type { Release } from "./downloads_store.ts";

/** What is cited. */
interface Cited {
  readonly title: string;
  /** Absolute. */
  readonly url: string;
  readonly publicUrl: string;
  /** The newest release; null before the first one. */
  readonly release: Pick<Release, "date" | "manifestSha256"> | null;
  /** YYYY-MM-DD. */
  readonly retrievedOn: string;
}

/** A citation in two forms. */
export interface Citation {
  readonly text: string;
  readonly bibtex: string;
}

/** Writes the citation of a page or a file. */
export function cite(
  { title, url, publicUrl, release, retrievedOn }: Cited,
): Citation {
  const manifest = release && {
    url: `${publicUrl}${manifestPath(release.date)}`,
    sha256: release.manifestSha256,
  };
  const vouched = manifest === null
    ? ""
    : ` Manifest ${manifest.url}, SHA-256 ${manifest.sha256}.`;
  const year = retrievedOn.slice(0, 4);
  const fields = {
    author: "{Firn}",
    title: escapeTex(title),
    year,
    url,
    urldate: retrievedOn,
    ...manifest === null ? {} : {
      note: `Manifest ${manifest.url}, SHA-256 ${manifest.sha256}`,
    },
  };
  const lines = Object.entries(fields)
    .map(([name, value]) => `  ${name} = {${value}}`);
  return {
    text:
      `Firn (${year}): ${title}. ${url}, retrieved on ${retrievedOn}.${vouched}`,
    bibtex: `@misc{firn-${retrievedOn},\n${lines.join(",\n")}\n}\n`,
  };
}

function escapeTex(text: string): string {
  return text.replaceAll(/[&%$#_{}]/g, "\\$&");
}
