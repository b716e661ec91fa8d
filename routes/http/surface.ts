/** Which family a request belongs to, by its path. */
import type { Surface } from "../../services/platform/surfaces_schema.ts";
import {
  ACCOUNT,
  CHAIN_DATA,
  LINKING,
  PROFILES,
  SCORING,
  TOOLS,
} from "../paths.ts";

/** The first that a path begins with; what begins with none is a page. */
const PREFIXES: readonly (readonly [prefix: string, family: Surface])[] = [
  [CHAIN_DATA, "chainData"],
  [SCORING, "scoring"],
  [ACCOUNT, "account"],
  [LINKING, "account"],
  [PROFILES, "profiles"],
  [TOOLS, "badges"],
  ["/static", "static"],
];

/** Returns the family of a request. */
export function surfaceOf({ url }: Request): Surface {
  const start = url.indexOf("/", "https://".length);
  const found = PREFIXES.find(([prefix]) => url.startsWith(prefix, start));
  return found?.[1] ?? "pages";
}
