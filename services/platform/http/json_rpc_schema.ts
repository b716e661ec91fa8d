/** Limits of JSON-RPC. */

/** Calls in one batch that public nodes accept. */
export const MAX_BATCH = 40;
