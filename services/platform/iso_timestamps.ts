/** Memoised ISO timestamps: formatting is slower than a comparison. */

/** Makes a function that formats epoch ms as ISO 8601 and caches the last result. */
export function isoTimestamps(): (at: number) => string {
  let last = NaN;
  let text = "";
  return (at) => {
    if (at !== last) {
      text = new Date(at).toISOString();
      last = at;
    }
    return text;
  };
}
