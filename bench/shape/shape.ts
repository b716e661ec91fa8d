/** The figures of a tree that say how far a reader has to walk in it. */
import {
  countLines,
  listFunctions,
  listImports,
  type TreeFile,
} from "./source.ts";

/** Folders and files that the running service loads. */
export const RUNTIME = ["services", "routes", "jobs", "static"];
const ENTRY_POINT = /^(main|operator|doctor|start_\w+)\.ts$/;

/** Modules that product files may be, as they were counted first: those of the browser are apart. */
const PRODUCT = /^(services|routes|jobs)\/.*\.ts$/;

/**
 * Modules that may be judged by their size and their importers. A job is not: one
 * file registers all of them.
 */
const JUDGED = /^(services|routes)\//;

/** Lines below which a file is short. */
const SHORT_LINES = 40;

/** Files that a task writes, and copies of other projects' files. */
const GENERATED = /written (?:from|by) [^.]*`deno task/;
const VENDORED = /(^|\/)vendor(ed)?\//;

/**
 * The row of each folder of `services/chain_data`, from the ground up: a file may import
 * its own row and lower ones. Files outside a folder are the catalogue.
 */
const CHAIN_DATA_ROWS: Readonly<Record<string, number>> = {
  catalogue: 0,
  series: 1,
  checks: 2,
  second_source: 2,
  blocks: 3,
  validators: 3,
  stake: 3,
  overview: 4,
  quality: 5,
  downloads: 5,
};
const CHAIN_DATA = "services/chain_data/";

/** Folders that count as a part of another one. */
const PART_OF: Readonly<Record<string, string>> = {
  revisions: "series",
  refresh: "series",
};

/** Which functions a request visits, as `path#function`, by the name of the walk. */
export type Walks = Readonly<Record<string, readonly string[]>>;

/** A walk's length. Returns are stays in a file that was left before. */
interface WalkLength {
  readonly stays: number;
  readonly files: number;
  /** Listed functions that do not exist. */
  readonly missing: readonly string[];
}

/** The figures of a tree. */
export interface Shape {
  /** By what the lines are: code and all lines, and files. */
  readonly lines: Readonly<
    Record<string, { code: number; all: number; files: number }>
  >;
  /** Folders that import each other, as "a ↔ b". */
  readonly pairs: readonly string[];
  /** Files that exactly one other file imports. */
  readonly lone: readonly string[];
  readonly short: readonly string[];
  /** Arrows of a file to another folder of `services/chain_data`, and those that lead up. */
  readonly chainData: {
    readonly arrows: number;
    readonly back: readonly string[];
    /** Folders that the order does not name. */
    readonly unordered: readonly string[];
  };
  /** Import statements of `routes/app.ts`. */
  readonly appImports: number;
  readonly walks: Readonly<Record<string, WalkLength>>;
}

/** Measures a tree: all its files, and the walks through it. */
export function measureShape(files: readonly TreeFile[], walks: Walks): Shape {
  const runtime = files.filter(({ path }) => isRuntime(path));
  const imports = new Map(
    runtime.filter(({ path }) => /\.[tj]s$/.test(path))
      .map((file) => [file.path, listImports(file)]),
  );
  const judged = runtime.filter(({ path }) =>
    PRODUCT.test(path) && JUDGED.test(path)
  );
  const importers = countImporters(imports);
  return {
    lines: linesByKind(files),
    pairs: listPairs(imports),
    lone: judged.filter(({ path }) => importers.get(path) === 1)
      .map(({ path }) => path),
    short: judged.filter((file) => countLines(file).all < SHORT_LINES)
      .map(({ path }) => path),
    chainData: chainDataArrows(imports),
    appImports: imports.get("routes/app.ts")?.length ?? 0,
    walks: measureWalks(files, walks),
  };
}

const isRuntime = (path: string) =>
  ENTRY_POINT.test(path) || RUNTIME.includes(path.split("/")[0]!);

/** Returns what the lines of a file are counted as; null if they are not. */
function kindOf({ path, text }: TreeFile): string | null {
  if (!isRuntime(path) && !/^(tests|sdk)\//.test(path)) return null;
  const isModule = /\.[tj]s$/.test(path);
  if (!isModule && !(isRuntime(path) && /\.(css|md)$/.test(path))) return null;
  if (VENDORED.test(path)) return "vendored";
  if (GENERATED.test(text.slice(0, 300))) return "generated";
  if (path.startsWith("tests/")) return "tests";
  if (path.startsWith("sdk/")) return "sdk";
  if (ENTRY_POINT.test(path)) return "entry points";
  if (PRODUCT.test(path)) return "services, routes, jobs";
  return isModule || path.endsWith(".css") ? "static" : "texts of pages";
}

function linesByKind(files: readonly TreeFile[]): Shape["lines"] {
  const sums: Record<string, { code: number; all: number; files: number }> = {};
  for (const file of files) {
    const kind = kindOf(file);
    if (kind === null) continue;
    const sum = sums[kind] ??= { code: 0, all: 0, files: 0 };
    const { code, all } = countLines(file);
    sum.code += code;
    sum.all += all;
    sum.files++;
  }
  return sums;
}

/** Counts for each file the other files that import it. */
function countImporters(
  imports: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [path, targets] of imports) {
    for (const target of new Set(targets)) {
      if (target === path) continue;
      counts.set(target, (counts.get(target) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns the folder of a file, at most two levels below a top folder. */
const folderOf = (path: string) =>
  path.split("/").slice(0, -1).slice(0, 3).join("/");

function listPairs(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const arrows = new Set<string>();
  for (const [path, targets] of imports) {
    for (const target of targets) {
      if (!imports.has(target)) continue;
      arrows.add(`${folderOf(path)} ↔ ${folderOf(target)}`);
    }
  }
  return [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(" ↔ ");
    return from! < to! && arrows.has(`${to} ↔ ${from}`);
  }).sort();
}

function chainDataArrows(
  imports: ReadonlyMap<string, readonly string[]>,
): Shape["chainData"] {
  const arrows = new Map<string, boolean>();
  const unordered = new Set<string>();
  for (const [path, targets] of imports) {
    for (const target of targets) {
      const from = chainDataFolder(path);
      const to = chainDataFolder(target);
      if (from === null || to === null || from === to) continue;
      const [row, toRow] = [CHAIN_DATA_ROWS[from], CHAIN_DATA_ROWS[to]];
      if (row === undefined) unordered.add(from);
      if (toRow === undefined) unordered.add(to);
      if (row === undefined || toRow === undefined) continue;
      arrows.set(`${path} → ${to}`, row < toRow);
    }
  }
  return {
    arrows: arrows.size,
    back: [...arrows].filter(([, isBack]) => isBack).map(([name]) => name),
    unordered: [...unordered],
  };
}

/** Returns the folder of a file in `services/chain_data`; null elsewhere. */
function chainDataFolder(path: string): string | null {
  if (!path.startsWith(CHAIN_DATA)) return null;
  const [folder, ...rest] = path.slice(CHAIN_DATA.length).split("/");
  return rest.length === 0 ? "catalogue" : PART_OF[folder!] ?? folder!;
}

function measureWalks(
  files: readonly TreeFile[],
  walks: Walks,
): Shape["walks"] {
  const texts = new Map(files.map((file) => [file.path, file]));
  const functions = new Map<string, Set<string>>();
  const exists = (stay: string) => {
    const [path, name] = stay.split("#") as [string, string];
    const file = texts.get(path);
    if (file === undefined) return false;
    const known = functions.get(path) ?? listFunctions(file);
    functions.set(path, known);
    return known.has(name);
  };
  return Object.fromEntries(
    Object.entries(walks).map(([name, stays]) => [name, {
      stays: stays.length,
      files: new Set(stays.map((stay) => stay.split("#")[0])).size,
      missing: stays.filter((stay) => !exists(stay)),
    }]),
  );
}
