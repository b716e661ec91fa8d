/** Profiles brought in by an operator: a file of one JSON object a line. */
import { sha256 } from "../../platform/sha256.ts";
import { ImportLine } from "./profile_import_schema.ts";
import type { ProfilesDeps } from "../deps.ts";
import { Fault } from "../../platform/fault.ts";
import { type ImportedFollow, importFollows } from "../follows/follows.ts";
import {
  hasProfileFields,
  importProfile,
  refusedLine,
} from "./imported_profile.ts";

type ImportDeps = Pick<ProfilesDeps, "now" | "store" | "upstream">;

/** How far an import is. */
export interface ImportProgress {
  readonly lines: number;
  readonly refusedCount: number;
}

/** What an import came to. */
export interface ImportReport extends ImportProgress {
  /** The lines that an earlier, broken-off import of the same file had seen to. */
  readonly resumedAfter: number;
  readonly follows: { readonly added: number; readonly unchanged: number };
  /** The first lines that were refused, and why. */
  readonly refused: readonly {
    readonly line: number;
    readonly reason: string;
  }[];
}

/**
 * Work after which edges are put in together and it is noted how far the import
 * is: an edge or a line is one, a profile takes as long as forty.
 */
const WORK_PER_CHECKPOINT = 40_000;
const WORK_PER_PROFILE = 40;

/** Refused lines that are remembered, and characters of a reason: all fit in one value. */
const MOST_REFUSED = 100;
const MOST_REASON = 200;

/** Longest line, in characters. */
const MOST_CHARACTERS = 2 ** 20;

/**
 * Puts a file of profiles in. One that was broken off goes on with the same
 * file; a file put in again changes nothing. A line that cannot be put in is
 * refused with its number and the reason, and the others are put in.
 */
export async function importProfiles(
  deps: ImportDeps,
  open: () => AsyncIterable<string>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const { profileImports } = deps.store;
  const sha256 = await hashLines(open());
  const begun = await profileImports.find(sha256);
  const resumedAfter = begun?.lines ?? 0;
  const refused = [...begun?.refused ?? []];
  let refusedCount = begun?.refusedCount ?? 0;
  const follows = { added: 0, unchanged: 0 };
  let waiting: (ImportedFollow & { line: number })[] = [];
  /** Lines refused since the last note. */
  const counted = new Set<number>();
  let lines = 0;
  let work = 0;

  function refuse(line: number, reason: string): void {
    if (counted.has(line)) return;
    counted.add(line);
    refusedCount++;
    if (refused.length < MOST_REFUSED) {
      refused.push({ line, reason: reason.slice(0, MOST_REASON) });
    }
  }

  async function putFollows(): Promise<void> {
    const put = await importFollows(deps, waiting);
    follows.added += put.added;
    follows.unchanged += put.unchanged;
    for (const { index, reason } of put.refused) {
      refuse(waiting[index]!.line, reason);
    }
    waiting = [];
  }

  async function note(): Promise<void> {
    await putFollows();
    counted.clear();
    work = 0;
    await profileImports.put(sha256, { lines, refusedCount, refused });
    onProgress({ lines, refusedCount });
  }

  for await (const text of open()) {
    lines++;
    if (lines <= resumedAfter || text.trim() === "") continue;
    const line = lines;
    work++;
    try {
      const given = parseLine(text);
      if (hasProfileFields(given)) {
        work += WORK_PER_PROFILE;
        await importProfile(deps, given);
      }
      const { address: follower, follows: edges = [] } = given;
      work += edges.length;
      for (const { address: followee, at } of edges) {
        waiting.push({ follower, followee, at, line });
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      refuse(line, error.message);
    }
    if (work >= WORK_PER_CHECKPOINT) await note();
  }
  await putFollows();
  await profileImports.end(sha256);
  refused.sort((a, b) => a.line - b.line);
  return { lines, resumedAfter, follows, refusedCount, refused };
}

/** Returns the SHA-256 of the lines. It identifies the file. */
async function hashLines(lines: AsyncIterable<string>): Promise<string> {
  const hash = sha256();
  for await (const line of lines) hash.update(`${line}\n`);
  return hash.hex();
}

function parseLine(text: string): ImportLine {
  if (text.length > MOST_CHARACTERS) {
    throw refusedLine(`accepted are ${MOST_CHARACTERS} characters a line`);
  }
  const checked = ImportLine.safeParse(parseJson(text));
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0]!;
  const unknown = issue.code === "unrecognized_keys"
    ? issue.keys.slice(0, 1)
    : [];
  const place = ["line", ...issue.path, ...unknown].join(".");
  throw refusedLine(`${place}: ${issue.message}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusedLine("it is not JSON");
  }
}
