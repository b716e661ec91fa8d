/**
 * Citations of figures: when they were retrieved, and the manifest with the
 * hashes of their files.
 */
import { dayAt, formatDay } from "../platform/days.ts";
import type { DownloadsDeps } from "./deps.ts";
import { findRelease } from "./downloads.ts";
import { manifestPath } from "./manifests.ts";
import type { Release } from "./downloads_store.ts";

/** When data were retrieved, and the release of that day. */
export interface Retrieval {
  /** The newest release; null before the first one. */
  readonly release:
    | Pick<
      Release,
      "date" | "format" | "manifestSha256"
    >
    | null;
  /** YYYY-MM-DD. */
  readonly retrievedOn: string;
}

/** What is cited. */
interface Cited extends Retrieval {
  readonly title: string;
  /** Absolute. */
  readonly url: string;
  readonly publicUrl: string;
}

/** Returns the retrieval of data that are read now. */
export async function retrievedNow(
  deps: Pick<DownloadsDeps, "now" | "store" | "upstream">,
): Promise<Retrieval> {
  return {
    release: await findRelease(deps),
    retrievedOn: formatDay(dayAt(deps.now().getTime())),
  };
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
    url: `${publicUrl}${manifestPath(release)}`,
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
