/** The surface of a request, by its path. */
import type { Surface } from "../../services/platform/surfaces_schema.ts";
import {
  ACCOUNT,
  CHAIN_DATA,
  LINKING,
  MCP,
  PROFILES,
  SCORING,
  TOOLS,
} from "./paths.ts";

/** Surfaces by path prefix. First match wins; every other path is a page. */
const PREFIXES: readonly (readonly [prefix: string, surface: Surface])[] = [
  [CHAIN_DATA, "chainData"],
  [SCORING, "scoring"],
  [ACCOUNT, "account"],
  [LINKING, "account"],
  [PROFILES, "profiles"],
  [TOOLS, "badges"],
  [MCP, "mcp"],
  ["/static", "static"],
];

/** Returns the surface of a request. */
export function surfaceOf({ url }: Request): Surface {
  const start = url.indexOf("/", "https://".length);
  const found = PREFIXES.find(([prefix]) => url.startsWith(prefix, start));
  return found?.[1] ?? "pages";
}
