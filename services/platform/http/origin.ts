/** The upstream that stored data came from. */

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
