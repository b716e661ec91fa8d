/** Whose data these are, and what may be said of where they come from. */

/**
 * Returns what is stored if this upstream gave it, else null: what another one
 * gave, before a change of settings, counts as none.
 */
export function ofUpstream<Stored extends { readonly origin: string }>(
  { baseUrl }: { readonly baseUrl: string },
  stored: Stored | null,
): Stored | null {
  return stored?.origin === baseUrl ? stored : null;
}

/** Returns the part of a setting's URL that may be published: paths and queries can hold secrets. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
