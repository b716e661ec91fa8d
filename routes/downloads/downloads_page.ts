/** The page of the downloadable files. */
import { html } from "hono/html";
import type { Citation } from "../../services/downloads/citation.ts";
import {
  DATA_PACKAGE,
  INDEX,
  subjectOf,
} from "../../services/downloads/downloads_schema.ts";
import type { DownloadsAnswer } from "../../services/downloads/manifests_schema.ts";
import {
  METRIC_NAMES,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { DOWNLOADS } from "../http/paths.ts";
import type { Html, Page } from "../pages/layout.ts";
import { instant, table } from "../pages/tables.ts";
import { citationBlock, datasetOf } from "./dataset.ts";
import { unbroken } from "../pages/unbroken.ts";

const TITLE = "Bulk files";
const DESCRIPTION =
  "All daily metrics of the Avalanche C-Chain and its L1s as files: CSV, JSON lines and Parquet, with a manifest per day.";

/** The files of a table. */
type Files = DownloadsAnswer["files"];

/** Renders the page. */
export function downloadsPage(
  { release, files, citation, publicUrl }: DownloadsAnswer & {
    readonly citation: Citation;
    readonly publicUrl: string;
  },
): Page {
  const url = `${publicUrl}${DOWNLOADS}`;
  return {
    title: TITLE,
    description: DESCRIPTION,
    nav: "docs",
    url,
    modules: ["copy.js"],
    facts: datasetOf({
      name: "Daily metrics of the Avalanche C-Chain and its L1s",
      description: DESCRIPTION,
      url,
      publicUrl,
      variables: METRIC_NAMES.map((name) => ({
        name,
        unitText: METRICS[name].unit,
      })),
      files: files.filter(({ format }) => format === "parquet").map((
        { name, sha256 },
      ) => ({
        contentUrl: `${url}/${name}`,
        encodingFormat: "application/vnd.apache.parquet",
        sha256,
      })),
    }),
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>${TITLE}</h1>
          <p class="lede">${unbroken(
            DESCRIPTION,
          )} Free to use, without attribution.</p>
          <p><a href="/docs/bulk-files">How to read them</a> with DuckDB, pandas, R,
            Excel and others · <a href="${DOWNLOADS}/${INDEX}">list as JSON</a>${release ===
                null
              ? ""
              : html`
                · <a href="${DOWNLOADS}/${DATA_PACKAGE}">Data Package</a>
              `}</p>
        </header>
        ${release === null
          ? html`
            <p class="notice notice-warn">No files have been built yet. They are built after
              the first sweep of all series.</p>
          `
          : releaseOf(release, files)} ${citationBlock(citation)}
      </div>
    `,
  };
}

const SUMS_COMMAND = "sha256sum -c --ignore-missing SHA256SUMS";
const HOW_TO_VERIFY =
  html`<a href="/docs/bulk-files#manifests">How to verify</a>`;
const UNSIGNED =
  "The manifest is a SHA256SUMS file that nobody signed: it shows that a download is complete, not who published it.";

function releaseOf(
  release: NonNullable<DownloadsAnswer["release"]>,
  files: Files,
): Html {
  const { manifest, manifestSha256, signedBy, dataThrough } = release;
  return html`
    <section class="stack" aria-labelledby="release">
          <h2 id="release">Release ${release.date}</h2>
          <dl class="facts">
            <dt>Newest day</dt>
            <dd>${dataThrough}, incomplete</dd>
            <dt>Built</dt>
            <dd>${instant(release.builtAt)}</dd>
            <dt>Manifest</dt>
            <dd><a href="${manifest}">${manifest}</a>, SHA-256
              <span class="mono">${manifestSha256}</span></dd>
            <dt>Signature</dt>
            <dd>${signedBy === null
              ? "This deployment does not sign manifests"
              : html`
                <a href="${manifest}${manifest.endsWith(".json")
                  ? ".sig"
                  : ".minisig"}">Signed</a> by one of
                <a href="/.well-known/firn-manifest-key.json">these keys</a>
              `}</dd>
          </dl>
          ${table("Files", {
            head: ["Table", "CSV", "JSON lines", "Parquet", "Rows"],
            numbersFrom: 1,
            rows: tablesOf(files).map(([name, files]) => [
              html`<span title="${meaningOf(name)}">${name}</span>`,
              ...["csv", "ndjson", "parquet"].map((format) =>
                linkOf(files.find((file) => file.format === format))
              ),
              (files[0]!.rows ?? 0).toLocaleString("en-US"),
            ]),
          })}
        </section>
    <section class="stack" aria-labelledby="verify">
      <h2 id="verify">Verify</h2>
      ${signedBy === null
        ? html`
          <p class="prose">${UNSIGNED} ${HOW_TO_VERIFY}</p>
          <pre><code>${SUMS_COMMAND}</code></pre>
        `
        : html`
          <p class="prose">The manifest is a <code>SHA256SUMS</code> file, signed in
            <a href="https://jedisct1.github.io/minisign/">minisign</a>'s format. Take the
            publisher's key once, from elsewhere than these files: whoever can change the
            files can publish another key. The trusted comment that minisign prints has the
            day of the release. ${HOW_TO_VERIFY}</p>
          <pre><code>${`minisign -Vm SHA256SUMS -P <public key>\n${SUMS_COMMAND}`}</code></pre>
        `}
    </section>
  `;
}

/** Groups files by table: the chain list and the checked series, then metrics, the newest year first. */
function tablesOf(files: Files): [name: string, files: Files][] {
  const tables = Map.groupBy(
    files.filter(({ format }) => format !== "json"),
    ({ table }) => table,
  );
  const rank = (name: string) => {
    const subject = subjectOf(name);
    return subject?.of === "metric"
      ? [1, METRIC_NAMES.indexOf(subject.metric), -subject.year] as const
      : [0, 0, 0] as const;
  };
  return [...tables].sort(([a], [b]) => {
    const [left, right] = [rank(a), rank(b)];
    return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
  });
}

function meaningOf(name: string): string {
  const subject = subjectOf(name);
  return subject?.of === "metric" ? METRICS[subject.metric].meaning : name;
}

function linkOf(file: Files[number] | undefined): Html | string {
  if (file === undefined) return "";
  const size = (file.bytes / 1000).toLocaleString("en-US", {
    maximumFractionDigits: 0,
  });
  return html`<a href="${DOWNLOADS}/${file.name}" download>${size} kB</a>`;
}
