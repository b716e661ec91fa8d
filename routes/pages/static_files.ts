/** Serves the files of `static/`, its stylesheets, and some files of npm packages. */
import { VENDOR } from "../../services/platform/package_files.ts";
import { sha256 } from "../../services/platform/bytes.ts";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { etag } from "hono/etag";
import { getMimeType } from "hono/utils/mime";
import { anyOrigin, newRouter } from "../http/router.ts";
// By these imports the packages of `VENDOR` are installed with the service.
import "../../static/vendor/noble-secp256k1/package.json" with { type: "json" };
import "../../static/vendor/qr.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** A file, plain and compressed. */
interface StaticFile {
  readonly tag: string;
  readonly identity: Bytes;
  readonly gzip: Bytes;
}

/** The files by path, and the release that their URLs carry. */
interface Release {
  readonly name: string;
  readonly contents: ReadonlyMap<string, Bytes>;
}

const FOLDER = new URL("../../static/", import.meta.url);
/** URL folder of package files. */
const VENDOR_FOLDER = "vendor/";
/** Pins the package versions, so it is part of the release hash. */
const MANIFEST = new URL("../../deno.json", import.meta.url);

/** Cache policies: a path with the release in it never changes. */
const KEEP = "public, max-age=31536000, immutable";
const ASK_AGAIN = "public, no-cache";

/** The path of a file behind the name of a release. */
const RELEASED = /^([0-9a-f]{12})\/(.+)$/;

let current: Release | undefined;
const files = new Map<string, Promise<StaticFile>>();
const imported = new Map<string, readonly string[]>();

/** Serves files under `/static`, with or without the release in the path. */
export function staticFiles() {
  const router = newRouter();
  router.use(anyOrigin(), etag());
  // One pattern: two that overlap would keep Hono from its fastest router.
  router.get("/:path{.+}", (c) => {
    const requested = c.req.param("path");
    const [, release, path] = requested.match(RELEASED) ?? [];
    if (path === undefined) return send(c, requested, ASK_AGAIN);
    return send(c, path, release === openRelease().name ? KEEP : ASK_AGAIN);
  });
  return router;
}

/**
 * Returns the URL of a static file. It contains the release, so browsers cache
 * it forever; relative imports between modules inherit the release.
 */
export function staticUrl(path: string): string {
  if (!isFile(path)) throw new Error(`Cannot find ${path} in static/`);
  return `/static/${openRelease().name}/${path}`;
}

/** Returns the URLs of the modules that a module imports, directly or not, in the order of their use. */
export function importedUrls(path: string): readonly string[] {
  const held = imported.get(path);
  if (held) return held;
  const found = new Set([path]);
  for (const module of found) {
    for (const next of importsOf(module)) found.add(next);
  }
  found.delete(path);
  const urls = [...found].map(staticUrl);
  imported.set(path, urls);
  return urls;
}

/** An import or a re-export of a module by its relative path, at the start of a line. */
const IMPORT = /^(?:import|export)\b(?:[^"';]*\bfrom)?\s*"(\.[^"]+)"/gm;

function importsOf(module: string): string[] {
  const content = openRelease().contents.get(module);
  const text = content ? new TextDecoder().decode(content) : "";
  return [...text.matchAll(IMPORT)].map(([, relative]) =>
    new URL(relative!, `http://static/${module}`).pathname.slice(1)
  );
}

async function send(
  c: Context,
  path: string,
  cacheControl: string,
): Promise<Response> {
  if (!isFile(path)) return c.notFound();
  const file = await openFile(path);
  const encoding = accepts(c, {
    header: "Accept-Encoding",
    supports: ["gzip"],
    default: "identity",
  }) as "gzip" | "identity";
  const headers = {
    "Cache-Control": cacheControl,
    "ETag": `"${file.tag}-${encoding}"`,
    "Vary": "Accept-Encoding",
  };
  // A copy in another encoding is current, too.
  const held = c.req.header("If-None-Match") ?? "";
  if (held.includes(`"${file.tag}-`)) return c.body(null, 304, headers);
  return c.body(file[encoding], 200, {
    ...headers,
    "Content-Type": getMimeType(path) ?? "application/octet-stream",
    ...(encoding === "gzip" && { "Content-Encoding": encoding }),
  });
}

/** Only listed files are opened, so no path escapes the folder. */
function isFile(path: string): boolean {
  return openRelease().contents.has(path) || vendored(path) !== undefined;
}

function vendored(path: string) {
  const name = path.startsWith(VENDOR_FOLDER)
    ? path.slice(VENDOR_FOLDER.length)
    : "";
  return Object.hasOwn(VENDOR, name) ? VENDOR[name] : undefined;
}

function openFile(path: string): Promise<StaticFile> {
  const held = files.get(path) ?? readFile(path);
  files.set(path, held);
  return held;
}

async function readFile(path: string): Promise<StaticFile> {
  const identity = openRelease().contents.get(path) ??
    await Deno.readFile(new URL(vendored(path)!));
  const zipped = new Blob([identity]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return {
    tag: hashOf(identity),
    identity,
    gzip: await new Response(zipped).bytes(),
  };
}

/** Reads the folder once: a deployment does not change while it runs. */
function openRelease(): Release {
  return current ??= readRelease();
}

function readRelease(): Release {
  const contents = new Map(
    [
      ...listFiles("").filter((path) => !path.startsWith(STYLES_FOLDER)),
      ...Object.keys(STYLESHEETS),
    ].sort().map((path) => [path, readContent(path)]),
  );
  const name = hashOf(
    // deno-lint-ignore firn/spread-arguments -- the files of this release
    ...[...contents].flatMap(([path, content]) => [path, content]),
    Deno.readFileSync(MANIFEST),
  );
  return { name, contents };
}

/** Reads a file, or joins the parts of a stylesheet without their comments, a fifth of its bytes. */
function readContent(path: string): Bytes {
  const parts = STYLESHEETS[path];
  if (parts === undefined) return Deno.readFileSync(new URL(path, FOLDER));
  const texts = parts.map((part) =>
    Deno.readTextFileSync(new URL(`${STYLES_FOLDER}${part}`, FOLDER))
  );
  const styles = texts.join("\n").replaceAll(/\/\*.*?\*\/\n*/gs, "");
  return new TextEncoder().encode(styles);
}

function listFiles(folder: string): string[] {
  return Deno.readDirSync(new URL(folder, FOLDER)).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    return entry.isDirectory ? listFiles(`${path}/`) : [path];
  }).toArray();
}

function hashOf(...parts: readonly (string | Bytes)[]): string {
  const hash = sha256();
  for (const part of parts) hash.update(part);
  return hash.hex().slice(0, 12);
}

/** The folder of the parts, inside `static/`. Parts have no URL of their own. */
export const STYLES_FOLDER = "styles/";

/** The parts of each stylesheet by its name, so that a page needs one request for all of them. */
export const STYLESHEETS: Readonly<Record<string, readonly string[]>> = {
  "firn.css": [
    "firn/tokens.css",
    "firn/base.css",
    "firn/shell.css",
    "firn/cards.css",
    "firn/notices.css",
    "firn/tables.css",
    "firn/forms.css",
    "firn/code.css",
    "firn/tabs.css",
    "firn/charts.css",
    "firn/preferences.css",
  ],
  "explorer.css": [
    "explorer/page.css",
    "explorer/chart.css",
    "explorer/form.css",
    "explorer/print.css",
  ],
  "chains.css": ["chains.css"],
  "score.css": ["score.css"],
  "dashboard.css": ["dashboard.css"],
  "docs.css": ["docs.css"],
  "status.css": ["status.css"],
};
