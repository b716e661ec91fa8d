/** Files of npm packages that pages load, each under a name of its own. */

/** Reads a package file as text. */
type ReadFile = () => Promise<{ default: string }>;

/**
 * The files by name: `/static/vendor/<name>`. Each is read on first use. The
 * lockfile pins them, since they are imports.
 */
export const VENDOR: Readonly<Record<string, ReadFile>> = {
  "qr.js": () =>
    import("../../static/vendor/qr.js", { with: { type: "text" } }),
  "minisearch.js": () =>
    import("../../static/vendor/minisearch.js", { with: { type: "text" } }),
  "uplot.js": () =>
    import("uplot/dist/uPlot.esm.js", { with: { type: "text" } }),
  "uplot.css": () =>
    import("uplot/dist/uPlot.min.css", { with: { type: "text" } }),
  "noble-hashes/sha3.js": () =>
    import("../../static/vendor/noble-hashes/sha3.js", {
      with: { type: "text" },
    }),
  // The package does not export this file, but it exports a module beside it.
  "noble-hashes/_u64.js": () =>
    readBeside("../../static/vendor/noble-hashes/sha3.js", "_u64.js"),
  "noble-hashes/utils.js": () =>
    import("../../static/vendor/noble-hashes/utils.js", {
      with: { type: "text" },
    }),
  "noble-secp256k1/index.js": () =>
    import("../../static/vendor/noble-secp256k1/index.js", {
      with: { type: "text" },
    }),
};

/** Reads a file that lies beside another one in its package. */
async function readBeside(specifier: string, name: string) {
  const url = new URL(name, import.meta.resolve(specifier));
  return await import(url.href, { with: { type: "text" } });
}
