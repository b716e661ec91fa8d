/** Instants as ISO 8601. */

/** Formats an instant, epoch ms, as ISO 8601. */
export function instant(ms: number): string;
export function instant(ms: number | null): string | null;
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Makes a function that formats instants and caches the last result: formatting is slower than a comparison. */
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
