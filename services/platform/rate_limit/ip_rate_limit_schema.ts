/** The default rate limit of requests without a key. */

/** Default requests per minute of one network. A burst may use all of them at once. */
export const OPEN_REQUESTS_PER_MINUTE = 6_000;
