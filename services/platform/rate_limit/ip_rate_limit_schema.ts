/** What one client may ask of what is open to everybody. */

/** Requests that a client may make at once, and again in a minute, where the operator says nothing else. */
export const OPEN_REQUESTS_PER_MINUTE = 6_000;
