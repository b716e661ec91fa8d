/** Flags for a permission set of `deno.json`, with the hosts and paths of other settings. */
import manifest from "../deno.json" with { type: "json" };
import { readConfig } from "../services/config.ts";
import { listServiceNeeds, type Need } from "../services/permissions.ts";

/** A permission set of a program that uses the store. */
export type SetName = "service" | "job" | "operator";

/** The settings that the sets in `deno.json` are written for. All others have their defaults. */
export const NAMED_SETTINGS = {
  KV_PATH: "./firn.sqlite3",
  GITHUB_CLIENT_ID: "any",
  GITHUB_CLIENT_SECRET: "any",
};

/** The V8 flags of the `start` task. A small young generation keeps garbage collection pauses short. */
export const V8_FLAGS = manifest.tasks.start.command.split(" ")
  .filter((argument) => argument.startsWith("--v8-flags="));

/** The kinds of permission that depend on settings. */
const KINDS = ["net", "read", "write"] as const;

/**
 * Returns the flags that run a program with a permission set. Hosts and paths that
 * belong to a setting are replaced by those of `settings`; all others are kept. A
 * permission that is missing in the set is therefore missing in the program, too.
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
    // Deno accepts no empty list. Without a flag the list of the set applies.
    return values.length === 0 ? [] : [`--allow-${kind}=${values.join(",")}`];
  });
  return ["--no-prompt", `-P=${set}`, ...flags];
}

/** Replaces the value of a setting by the needed values; other values are kept. */
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
