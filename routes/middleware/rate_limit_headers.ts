/** The fields `RateLimit-Policy` and `RateLimit` of the IETF draft on rate limits, entry by entry. */

/** Writes how much a limit allows in how many seconds. */
export function policyEntry(
  name: string,
  quota: number,
  perSeconds: number,
): string {
  return `"${name}";q=${quota};w=${perSeconds}`;
}

/** Writes what is left of a limit, and in how many seconds there is more. */
export function standingEntry(
  name: string,
  remaining: number,
  seconds: number,
): string {
  return `"${name}";r=${remaining};t=${seconds}`;
}
