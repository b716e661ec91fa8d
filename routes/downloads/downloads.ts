/** `/downloads`: bulk files with byte ranges, the page and the list of them, and manifests. */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routePath } from "hono/route";
import {
  type Citation,
  cite,
  type DownloadsDeps,
  endingOf,
  findFile,
  findManifest,
  findRelease,
  type FoundFile,
  listFiles,
  readDocument,
  readFile,
  retrievedNow,
} from "../../services/downloads/downloads.ts";
import {
  DATA_PACKAGE,
  DownloadsAnswer,
  FILE_FORMATS,
  INDEX,
  ManifestKeys,
  subjectOf,
} from "../../services/downloads/downloads_schema.ts";
import {
  describeManifestKeys,
  manifestPath,
  signaturePath,
} from "../../services/downloads/manifests.ts";
import { Fault } from "../../services/platform/fault.ts";
import { maxOf } from "../../services/platform/numbers.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import { DAY_MS, MINUTE_MS } from "../../services/platform/days.ts";
import { networkOfClient } from "../http/client_address.ts";
import { pageContent } from "../pages/page_content.ts";
import { isRenderRefused, type RenderQueue } from "../http/render_queue.ts";
import { selectBytes } from "../http/preconditions.ts";
import {
  type Content,
  jsonContent,
  type Keep,
} from "../http/representation.ts";
import { checkQuery } from "../http/validation_errors.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { anyOrigin, BAD_QUERY, json, newRouter } from "../http/router.ts";
import { DOWNLOADS } from "../http/paths.ts";
import { html } from "hono/html";
import {
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import type { Html, Page } from "../pages/layout.ts";
import { instant, table } from "../pages/tables.ts";
import { citationBlock, datasetOf } from "./dataset.ts";
import { unbroken } from "../pages/unbroken.ts";

/** Clients may keep a file or a list for this long. A release comes once a day. */
const MAX_AGE_S = 600;

const CURRENT: Keep = {
  forMs: MINUTE_MS,
  headers: { "Cache-Control": `public, max-age=${MAX_AGE_S}` },
};
/** A manifest never changes. */
const FINAL: Keep = {
  forMs: DAY_MS,
  headers: { "Cache-Control": "public, max-age=31536000, immutable" },
};

const MANIFEST =
  /^manifests\/(?<date>\d{4}-\d{2}-\d{2})\.(?<format>json|sha256)(?<signature>(?<=json)\.sig|(?<=sha256)\.minisig)?$/;

/** The manifest of the newest release, and its signature. */
const NEWEST = /^SHA256SUMS(\.minisig)?$/;

/** The work of opening a file, or of reading a chunk of it. */
const CHUNK = { route: "chunk" };

/** How long a chunk waits that was refused because too much work is waiting. */
const REFUSED_MS = 1_000;

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Headers that scripts of other origins may read. */
const EXPOSED = [
  "Accept-Ranges",
  "Content-Length",
  "Content-Range",
  "ETag",
  "Link",
  "Retry-After",
];

/** A citation of a file. */
const CITATION = /^(.+)\.(bib|txt)$/;

/** Serves the files and what describes them. */
function downloads(
  deps: DownloadsDeps,
  { answers, pages, renders }: Parts,
): OpenAPIHono {
  /** Opens a file or what describes it, in the turn of the client's network. */
  const inTurn = (
    c: Context,
    open: () => Promise<Response>,
    work = { route: routePath(c) },
  ) => renders.run(networkOfClient(deps, c), open, work);

  /** Reads each chunk of a file in a turn of the client's network, as the client takes it. */
  async function* readInTurns(
    c: Context,
    chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  ) {
    const network = networkOfClient(deps, c);
    for (;;) {
      try {
        const read = () => chunks.next();
        const { done, value } = await renders.run(network, read, CHUNK);
        if (done) return;
        yield value;
      } catch (error) {
        // A file that has begun is not refused: it waits until less work is waiting.
        if (!(error instanceof Fault) || !isRenderRefused(error)) throw error;
        await deps.sleep(REFUSED_MS);
      }
    }
  }

  const router = newRouter();
  for (const route of [listDownloads, getManifest, getDownload]) {
    router.openAPIRegistry.registerPath(route);
  }
  router.use(`${DOWNLOADS}/*`, anyOrigin(EXPOSED));
  router.get(DOWNLOADS, (c) =>
    pages.send(c, {}, async () => {
      const { answer } = await listFiles(deps);
      const citation = await citeDownload(deps, "");
      const { metricFilesDays, publicUrl } = deps;
      const page = downloadsPage({
        ...answer,
        ...{ citation, metricFilesDays, publicUrl },
      });
      return pageContent(page, deps.now());
    }));
  // One pattern: two that overlap would keep Hono from its fastest router.
  router.get(`${DOWNLOADS}/:path{.+}`, async (c) => {
    checkQuery(c, NoQuery);
    const path = c.req.param("path");
    if (NEWEST.test(path)) {
      const release = await findRelease(deps);
      if (!release?.format) return c.notFound();
      const isSigned = path.endsWith(".minisig");
      return c.redirect(
        isSigned ? signaturePath(release) : manifestPath(release),
      );
    }
    const { date, format, signature } = MANIFEST.exec(path)?.groups ?? {};
    const manifest = date && format ? { date, format } : null;
    if (manifest && signature) {
      return await inTurn(c, () => sendSignature(deps, c, manifest));
    }
    if (endingOf(path) !== null) {
      return await inTurn(
        c,
        () => sendFile(deps, c, path, (chunks) => readInTurns(c, chunks)),
        CHUNK,
      );
    }
    const [, cited, form] = CITATION.exec(path) ?? [];
    if (cited !== undefined) {
      return await inTurn(c, async () => {
        await findFile(deps, cited);
        const { text, bibtex } = await citeDownload(deps, `/${cited}`);
        return form === "bib"
          ? c.body(bibtex, 200, { "Content-Type": "application/x-bibtex" })
          : c.text(`${text}\n`);
      });
    }
    return await answers.send(c, {}, async (): Promise<Content> => {
      if (manifest) {
        const { text } = await findManifest(deps, manifest);
        const type = format === "json" ? JSON_TYPE : TEXT_TYPE;
        return { ...documentOf(deps, text, FINAL), type };
      }
      if (path === INDEX) {
        return { ...jsonContent(await listFiles(deps)), keep: CURRENT };
      }
      const { answer } = await readDocument(deps, path);
      return documentOf(deps, answer, CURRENT);
    });
  });
  return router;
}

/** Cites a file, or all of them, as of now. */
async function citeDownload(
  deps: DownloadsDeps,
  path: string,
): Promise<Citation> {
  const { publicUrl } = deps;
  return cite({
    title: `Daily metrics of the Avalanche C-Chain and its L1s${
      path === "" ? "" : `, ${path.slice(1)}`
    }`,
    url: `${publicUrl}${DOWNLOADS}${path}`,
    publicUrl,
    ...await retrievedNow(deps),
  });
}

function documentOf(
  { now }: Pick<DownloadsDeps, "now">,
  text: string,
  keep: Keep,
): Content {
  const fetchedAt = now().getTime();
  return { text, type: JSON_TYPE, fetchedAt, changedAt: null, keep };
}

async function sendSignature(
  deps: DownloadsDeps,
  c: Context,
  manifest: Parameters<typeof findManifest>[1],
): Promise<Response> {
  const { signature } = await findManifest(deps, manifest);
  if (signature === null) return c.notFound();
  return c.body(new Uint8Array(signature), 200, {
    ...FINAL.headers,
    "Content-Type": manifest.format === "json"
      ? "application/octet-stream"
      : TEXT_TYPE,
  });
}

async function sendFile(
  deps: DownloadsDeps,
  c: Context,
  name: string,
  inTurns: (
    chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  ) => AsyncGenerator<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const found = await findFile(deps, name);
  const { file } = found;
  const headers = headersOf(found);
  const selected = selectBytes(c.req.raw, {
    bytes: file.bytes,
    etag: headers.ETag,
    changedAt: found.table.builtAt,
  });
  const { status } = selected;
  if (!("range" in selected)) return new Response(null, { status, headers });
  const { start, end } = selected.range;
  return new Response(
    ReadableStream.from(inTurns(readFile(deps, file, selected.range))),
    {
      status,
      headers: {
        ...headers,
        "Content-Type": FILE_FORMATS[endingOf(name)!].mediaType,
        "Content-Disposition": `attachment; filename="${name}"`,
        "Content-Length": String(end - start + 1),
        ...status === 206 && {
          "Content-Range": `bytes ${start}-${end}/${file.bytes}`,
        },
      },
    },
  );
}

function headersOf({ file, table, release }: FoundFile) {
  return {
    "Accept-Ranges": "bytes",
    "Cache-Control": CURRENT.headers["Cache-Control"]!,
    "ETag": `"${file.sha256}"`,
    "Last-Modified": new Date(table.builtAt).toUTCString(),
    "Link": `<${manifestPath(release)}>; rel="describedby", ` +
      `<${DOWNLOADS}/${file.name}.bib>; rel="describedby"; type="application/x-bibtex", ` +
      `<${DOWNLOADS}>; rel="collection"`,
  };
}

/** The caches of answers and of pages, and the queue of what is not cached. */
interface Parts {
  readonly answers: ResponseCache;
  readonly pages: ResponseCache;
  readonly renders: Pick<RenderQueue, "run">;
}

/** Mounts the files and the keys of their manifests on the app. */
export function mountDownloads(
  app: OpenAPIHono,
  deps: DownloadsDeps,
  shared: Parts,
): void {
  app.route("/", downloads(deps, shared));
  app.route("/.well-known", manifestKeys(deps));
}

/** Serves the keys of manifests, under the well-known paths (RFC 8615). */
function manifestKeys(
  { manifestSigning }: Pick<DownloadsDeps, "manifestSigning">,
): OpenAPIHono {
  const router = newRouter();
  router.use("/firn-manifest-key.json", anyOrigin());
  return router.openapi(getManifestKeys, async (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(await describeManifestKeys(manifestSigning), 200);
  });
}

const NOT_SENT = {
  ...BAD_QUERY,
  304: { description: "Not modified" },
  412: json(ErrorBody, "If-Match or If-Unmodified-Since names another version"),
};
const UNKNOWN_FILE = { 404: json(ErrorBody, "No such file") };

const tags = ["Downloads"];

/** `GET /downloads/index.json`. */
const listDownloads = createRoute({
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

/** `GET /downloads/manifests/{date}.sha256`. */
const getManifest = createRoute({
  operationId: "getManifest",
  description:
    "The SHA-256 of every file of a day's release, as `sha256sum -c` reads it. Its signature, in minisign's format, is at the same URL with `.minisig` appended; its trusted comment has the day and the SHA-256 of the manifest before. `/downloads/SHA256SUMS` is the newest one. Releases from before this format have `{date}.json` and `{date}.json.sig`.",
  tags,
  method: "get",
  path: `${DOWNLOADS}/manifests/{date}.sha256`,
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
    200: {
      description:
        "The manifest; its hash and signature are of its exact bytes",
      content: { "text/plain": { schema: { type: "string" as const } } },
    },
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
const getDownload = createRoute({
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
const getManifestKeys = createRoute({
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

const TITLE = "Bulk files";
const DESCRIPTION =
  "All daily metrics of the Avalanche C-Chain and its L1s as files: CSV, JSON lines and Parquet, with a manifest per day.";

/** The files of a table. */
type Files = DownloadsAnswer["files"];

/** Renders the page. */
export function downloadsPage(
  { release, files, citation, metricFilesDays, publicUrl }: DownloadsAnswer & {
    readonly citation: Citation;
    readonly metricFilesDays: number;
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
          : releaseOf(release, files, metricFilesDays)} ${citationBlock(
            citation,
          )}
      </div>
    `,
  };
}

const HOW_TO_VERIFY =
  html`<a href="/docs/bulk-files#manifests">How to verify</a>`;
const UNSIGNED =
  "The manifest is a SHA256SUMS file that nobody signed: it shows that a download is complete, not who published it.";

function releaseOf(
  release: NonNullable<DownloadsAnswer["release"]>,
  files: Files,
  metricFilesDays: number,
): Html {
  const { manifest, manifestSha256, signedBy, dataThrough } = release;
  // The names under which a browser saves the links.
  const saved = manifest.split("/").at(-1);
  const check = `sha256sum -c --ignore-missing ${saved}`;
  return html`
    <section class="stack" aria-labelledby="release">
          <h2 id="release">Release ${release.date}</h2>
          <dl class="facts">
            <dt>Newest day</dt>
            <dd>${dataThrough}, incomplete</dd>
            <dt>Built</dt>
            <dd>${instant(release.builtAt)}</dd>
            ${metricFilesDays === 1 ? "" : ofMetrics(files, metricFilesDays)}
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
          ${fileTables(files)}
        </section>
    <section class="stack" aria-labelledby="verify">
      <h2 id="verify">Verify</h2>
      ${signedBy === null
        ? html`
          <p class="prose">${UNSIGNED} ${HOW_TO_VERIFY}</p>
          <pre tabindex="0"><code>${check}</code></pre>
        `
        : html`
          <p class="prose">The manifest is a <code>SHA256SUMS</code> file, signed in
            <a href="https://jedisct1.github.io/minisign/">minisign</a>'s format. Take the
            publisher's key once, from elsewhere than these files: whoever can change the
            files can publish another key. The trusted comment that minisign prints has the
            day of the release. ${HOW_TO_VERIFY}</p>
          <pre tabindex="0"><code>${`minisign -Vm ${saved} -P <public key>\n${check}`}</code></pre>
        `}
    </section>
  `;
}

/** Says how often the files of metrics are built, and when they last were. */
function ofMetrics(files: Files, days: number): Html {
  const last = files.filter(({ table }) => subjectOf(table)?.of === "metric")
    .map(({ changedOn }) => changedOn).toSorted().at(-1);
  return html`
    <dt>Files of metrics</dt>
    <dd>Built every ${days} days${last ? `, last on ${last}` : ""}. The
      <a href="/docs/quick-start-chain-data">API</a> has the days since</dd>
  `;
}

/**
 * Renders the chain list, the checked series and the newest year of each metric, then
 * every year before, folded.
 */
function fileTables(files: Files): Html {
  const byTable = Map.groupBy(
    files.filter(({ format }) => format !== "json"),
    ({ table }) => table,
  );
  const tables = [...byTable].map(([name, files]): FileTable => {
    const subject = subjectOf(name);
    return subject?.of === "metric"
      ? { name, files, year: subject.year, metric: subject.metric }
      : { name, files };
  }).toSorted((a, b) => rankOf(a) - rankOf(b));
  const newest = maxOf(tables.map(({ year = 0 }) => year));
  const [shown = [], ...folded] = [
    ...Map.groupBy(tables, ({ year = newest }) => year),
  ].toSorted(([a], [b]) => b - a).map(([, tables]) => tables);
  return html`
    ${fileTable("Files", shown)} ${folded.map((tables) =>
      html`<details>
        <summary>${tables[0]!.year}: ${tables.length} ${
        tables.length === 1 ? "table" : "tables"
      }</summary>
        ${fileTable(`Files of ${tables[0]!.year}`, tables)}
      </details>`
    )}
  `;
}

/** The files of a table, with its year and metric if it has them. */
interface FileTable {
  readonly name: string;
  readonly files: Files;
  readonly year?: number;
  readonly metric?: Metric;
}

const rankOf = ({ metric }: FileTable) =>
  metric === undefined ? -1 : METRIC_NAMES.indexOf(metric);

function fileTable(label: string, tables: readonly FileTable[]): Html {
  return table(label, {
    isCards: true,
    hasShortValues: true,
    head: ["Table", "CSV", "JSON lines", "Parquet", "Rows"],
    numbersFrom: 1,
    rows: tables.map(({ name, files, metric }) => [
      metric === undefined
        ? name
        : html`<span title="${METRICS[metric].meaning}">${name}</span>`,
      ...["csv", "ndjson", "parquet"].map((format) =>
        linkOf(files.find((file) => file.format === format))
      ),
      (files[0]!.rows ?? 0).toLocaleString("en-US"),
    ]),
  });
}

function linkOf(file: Files[number] | undefined): Html | string {
  if (file === undefined) return "";
  const size = (file.bytes / 1000).toLocaleString("en-US", {
    maximumFractionDigits: 0,
  });
  return html`<a href="${DOWNLOADS}/${file.name}" download>${size} kB</a>`;
}
