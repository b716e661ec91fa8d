/**
 * A registry in the shape of JSR, on loopback. It serves the packages that `links/`
 * stands in for, made of the published sources that the stand-ins are made of.
 */

/** A running registry. */
interface JsrMirror extends AsyncDisposable {
  /** For the variable `JSR_URL`. */
  readonly url: string;
  /** The paths that were asked for. */
  readonly paths: ReadonlySet<string>;
}

/** The version of each package here: newer than that of the stand-ins. */
const VERSION = "1.1.0";

const PACKAGES = ["assert", "csv", "testing"];

/** Starts the registry with the modules of a folder of stand-ins. */
export async function startJsrMirror(links: URL): Promise<JsrMirror> {
  const files = new Map<string, string>();
  for (const name of PACKAGES) await addPackage(files, links, name);
  const paths = new Set<string>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request) => {
      const { pathname } = new URL(request.url);
      paths.add(pathname);
      const text = files.get(pathname);
      const type = pathname.endsWith(".json")
        ? "application/json"
        : "text/typescript";
      return text === undefined
        ? new Response(null, { status: 404 })
        : new Response(text, { headers: { "Content-Type": type } });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    paths,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Adds the files of a package, and what the registry says of it and of its version. */
async function addPackage(
  files: Map<string, string>,
  links: URL,
  name: string,
): Promise<void> {
  const folder = new URL(`${name}/`, links);
  const { exports, imports } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", folder)),
  );
  const manifest: Record<string, { size: number; checksum: string }> = {};
  for await (const { name: file } of Deno.readDir(folder)) {
    if (!file.endsWith(".ts")) continue;
    const source = await Deno.readTextFile(new URL(file, folder));
    const text = withFullImports(source, imports);
    files.set(`/@std/${name}/${VERSION}/${file}`, text);
    manifest[`/${file}`] = await describe(text);
  }
  const named = typeof exports === "string" ? { ".": exports } : exports;
  files.set(
    `/@std/${name}/${VERSION}_meta.json`,
    JSON.stringify({ manifest, exports: named }),
  );
  files.set(
    `/@std/${name}/meta.json`,
    JSON.stringify({
      scope: "std",
      name,
      latest: VERSION,
      versions: { [VERSION]: {} },
    }),
  );
}

/** Replaces the names of an import map, as publishing does. */
function withFullImports(
  source: string,
  imports: Readonly<Record<string, string>>,
): string {
  return Object.entries(imports).reduce(
    (text, [name, target]) =>
      text.replaceAll(`from "${name}`, `from "${target}`),
    source,
  );
}

async function describe(text: string) {
  const bytes = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return {
    size: bytes.length,
    checksum: `sha256-${new Uint8Array(digest).toHex()}`,
  };
}
