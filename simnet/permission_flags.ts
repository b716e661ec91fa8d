/** The permission sets of `deno.json`, with what is simulated in place of what is real. */
import manifest from "../deno.json" with { type: "json" };
import { readConfig } from "../services/config.ts";
import { listServiceNeeds, type Need } from "../services/permissions.ts";

/** A set of those who work on the store. */
export type SetName = "service" | "job" | "operator";

/** The settings whose hosts and paths the sets name; the others are defaults. */
export const NAMED_SETTINGS = {
  KV_PATH: "./firn.sqlite3",
  GITHUB_CLIENT_ID: "any",
  GITHUB_CLIENT_SECRET: "any",
};

/** What the task of the service tells the engine: small young generations make short pauses. */
export const V8_FLAGS = manifest.tasks.start.command.split(" ")
  .filter((argument) => argument.startsWith("--v8-flags="));

/** What may be another than the set names. */
const KINDS = ["net", "read", "write"] as const;

/**
 * Returns the flags that run a program with a set: each host and path that the
 * set names for a setting gives place to what `settings` say, all else stays.
 * So what the set lacks, the program lacks too.
 */
export function permissionFlags(
  set: SetName,
  settings: Readonly<Record<string, string>>,
): string[] {
  const named = listServiceNeeds(readConfig(NAMED_SETTINGS));
  const needed = listServiceNeeds(readConfig(settings));
  const lists: Readonly<Record<string, unknown>> = manifest.permissions[set];
  const flags = KINDS.flatMap((kind) => {
    const list = lists[kind];
    if (!Array.isArray(list)) return [];
    const ofKind = (need: Need) => need.kind === kind;
    const values = list.flatMap((value) =>
      replaceValue(value, named.filter(ofKind), needed.filter(ofKind))
    );
    // Deno takes no empty list; then the set's own stands.
    return values.length === 0 ? [] : [`--allow-${kind}=${values.join(",")}`];
  });
  return ["--no-prompt", `-P=${set}`, ...flags];
}

/** Returns what the settings need in place of a value; a value that is for no setting stays. */
function replaceValue(
  value: string,
  named: readonly Need[],
  needed: readonly Need[],
): string[] {
  const settings = named.filter((need) => need.value === value)
    .map(({ setting }) => setting);
  if (settings.length === 0) return [value];
  return needed.filter(({ setting }) => settings.includes(setting))
    .map(({ value }) => value);
}
