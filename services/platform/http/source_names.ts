/** Names of data sources in answers. */
/** The body of a response, and the name of its source. */
export interface Sourced<T> {
  readonly body: T;
  readonly source: string;
}

/** Returns the name of a source, marked if its responses were simulated. */
export function nameSource(
  name: string,
  { host, simulated }: { host: string; simulated: boolean },
): string {
  return simulated
    ? `simulated (simnet in place of the ${name})`
    : `${name} (${host})`;
}

/**
 * Returns the stored data if it came from this upstream, otherwise null. Data of
 * another upstream remains after a change of settings.
 */
export function ofUpstream<Stored extends { readonly origin: string }>(
  { baseUrl }: { readonly baseUrl: string },
  stored: Stored | null,
): Stored | null {
  return stored?.origin === baseUrl ? stored : null;
}

/** Returns the part of a URL that may be published. Paths and queries can contain secrets. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
