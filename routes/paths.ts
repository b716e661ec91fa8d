/** Where the surfaces are mounted. */

/** The open chain data: `{base_url}` of its specification. */
export const CHAIN_DATA = "/api/chain-data";

/** The keyed scoring API. */
export const SCORING = "/api/v1";

/** What a wallet does in its own name. */
export const ACCOUNT = "/api/account";

/** Where people come back to who signed in elsewhere to link an account. */
export const LINKING = "/account/link";

/** What anybody may know of a profile. */
export const PROFILES = "/api/profiles";

/** What anybody may embed. */
export const TOOLS = "/api/tools";
