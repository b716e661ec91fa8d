/** Files of packages that are read, not run. The lock file pins them. */

/** `file:` URLs of what pictures are rendered with: the renderer, then the fonts. */
export const PICTURE_FILES: readonly string[] = [
  import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"),
  import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
];

/** `file:` URLs of what browsers load, by name: `/static/vendor/<name>`. */
export const VENDOR: Readonly<Record<string, string>> = {
  "qr.js": import.meta.resolve("../../static/vendor/qr.js"),
  "minisearch.js": import.meta.resolve("../../static/vendor/minisearch.js"),
  "noble-hashes/sha3.js": import.meta.resolve(
    "../../static/vendor/noble-hashes/sha3.js",
  ),
  // The package does not export this file, but it exports a module beside it.
  "noble-hashes/_u64.js": new URL(
    "_u64.js",
    import.meta.resolve("../../static/vendor/noble-hashes/sha3.js"),
  ).href,
  "noble-hashes/utils.js": import.meta.resolve(
    "../../static/vendor/noble-hashes/utils.js",
  ),
  "noble-secp256k1/index.js": import.meta.resolve(
    "../../static/vendor/noble-secp256k1/index.js",
  ),
};
