/** Files of profiles, and what their import stores. */
import { importProfiles } from "../../services/profiles/profile_import.ts";
import type { TestDeps } from "./deps.ts";

/** A line of a file: an object, or raw text. */
export type Line = Record<string, unknown> | string;

/** Makes a file of lines. */
export function fileOf(lines: readonly Line[]) {
  const texts = lines.map((line) =>
    typeof line === "string" ? line : JSON.stringify(line)
  );
  return async function* () {
    yield* texts;
  };
}

/** Imports lines. */
export function importLines(deps: TestDeps, lines: readonly Line[]) {
  return importProfiles(deps, fileOf(lines));
}

/** All records with their versions. */
export async function dump({ kv }: TestDeps): Promise<Deno.KvEntry<unknown>[]> {
  return await Array.fromAsync(kv.list({ prefix: [] }));
}
