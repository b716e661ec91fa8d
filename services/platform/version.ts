/** The version of the service, in its answers and in its traces, and those of Deno that it runs on. */

/** The version of the scoring API. */
export const VERSION = "1.0.0";

/** The oldest Deno that the service runs on. */
export const LEAST_DENO = "2.5";

/** Below this version Deno aborts when a span is started and nothing is exported. */
export const TRACING_DENO = "2.8";

/** Returns whether a version such as `2.9.6` is older than another one. Only major and minor count. */
export function isOlder(version: string, than: string): boolean {
  const [[major, minor], [leastMajor, leastMinor]] = [version, than]
    .map((each) => each.split(".").map(Number)) as [number[], number[]];
  return major === leastMajor ? minor! < leastMinor! : major! < leastMajor!;
}
