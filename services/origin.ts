/** Whose data these are: what another upstream gave, before a change of settings, counts as none. */

/** Returns what is stored if this upstream gave it, else null. */
export function ofUpstream<Stored extends { readonly origin: string }>(
  { baseUrl }: { readonly baseUrl: string },
  stored: Stored | null,
): Stored | null {
  return stored?.origin === baseUrl ? stored : null;
}
