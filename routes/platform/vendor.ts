/** Files of npm packages that pages load, each under a name of its own. */

/** Reads a file of a package as text. */
type ReadFile = () => Promise<{ default: string }>;

/**
 * The files by name: `/static/vendor/<name>`. Each is read at first use, and
 * being an import it is pinned by the lockfile and there without a network.
 */
export const VENDOR: Readonly<Record<string, ReadFile>> = {
  "qr.js": () =>
    import("../../static/vendor/qr.js", { with: { type: "text" } }),
  "uplot.js": () =>
    import("uplot/dist/uPlot.esm.js", { with: { type: "text" } }),
  "uplot.css": () =>
    import("uplot/dist/uPlot.min.css", { with: { type: "text" } }),
  "noble-hashes/sha3.js": () =>
    import("../../static/vendor/noble-hashes/sha3.js", {
      with: { type: "text" },
    }),
  // Its package does not export it, but exports what imports it.
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

/** Reads the file of some name that lies beside another in its package. */
async function readBeside(specifier: string, name: string) {
  const url = new URL(name, import.meta.resolve(specifier));
  return await import(url.href, { with: { type: "text" } });
}
