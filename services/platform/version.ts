/** The version of the service, in its answers and in its traces. */

/** The version of the scoring API. */
export const VERSION = "1.0.0";
