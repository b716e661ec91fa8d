/** The paths that routers are mounted at. */
/** Open chain data: `{base_url}` of its specification. */
export const CHAIN_DATA = "/api/chain-data";

/** Keyed scoring API. */
export const SCORING = "/api/v1";

/** Account endpoints of a signed-in wallet. */
export const ACCOUNT = "/api/account";

/** Return paths of OAuth sign-ins that link an account. */
export const LINKING = "/account/link";

/** Public profiles. */
export const PROFILES = "/api/profiles";

/** Badges and other embeddable tools. */
export const TOOLS = "/api/tools";

/** The MCP server. */
export const MCP = "/mcp";

/** Bulk files of chain data. */
export const DOWNLOADS = "/downloads";

/** Pages that any site may show in a frame. */
export const EMBEDS = "/embed";

/** The page of all disputed days, and that of all revised days. */
export const DISPUTES = "/disputes";
export const REVISIONS = "/revisions";

/** Returns the path of the page of a day of a series. */
export function dayPath(series: string, chainId: number, day: string): string {
  return `/days/${series}/${chainId}/${day}`;
}

/** The pages of metrics. */
export const CHARTS = "/charts";

/** The documentation. */
export const DOCS = "/docs";

/** The API reference. */
export const REFERENCE = `${DOCS}/reference`;

/** The `Link` header of the index of an API. */
export const SERVICE_LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
].join(", ");
