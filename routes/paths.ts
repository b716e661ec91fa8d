/** Where the surfaces are mounted. */

/** The open chain data: `{base_url}` of its specification. */
export const CHAIN_DATA = "/api/chain-data";

/** The keyed scoring API. */
export const SCORING = "/api/v1";
