/** The layer of a source file. */

const LAYERS = [
  "domain",
  "services",
  "store",
  "client",
  "schema",
  "routes",
] as const;
export type Layer = typeof LAYERS[number];

/**
 * Returns the layer of a file from its path and text. A file without a suffix
 * is a use case ("services") if it waits for something, else a rule ("domain").
 */
export function layerOf(path: string, text: string): Layer {
  if (path.startsWith("routes/")) return "routes";
  const suffix = path.match(/_(store|client|schema)\.ts$/)?.[1];
  if (suffix) return suffix as Layer;
  return /\bawait\b|\bPromise<|\/deps\.ts"/.test(text) ? "services" : "domain";
}
