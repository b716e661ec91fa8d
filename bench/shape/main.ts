/**
 * Prints how much there is to read, and how far a reader walks: `deno task shape`
 * for HEAD, `deno task shape <commit>` for another commit. See README.md.
 */
import { measureShape, RUNTIME, type Shape, type Walks } from "./shape.ts";
import type { TreeFile } from "./source.ts";

const WALKS = "bench/shape/walks.json";

/** The kinds of lines, in the order of the table. */
const KINDS = [
  "services, routes, jobs",
  "static",
  "entry points",
  "texts of pages",
  "vendored",
  "generated",
  "sdk",
  "tests",
];
const READ = [...RUNTIME, "tests", "sdk", WALKS];

async function run(
  command: string,
  args: readonly string[],
  stdin?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const child = new Deno.Command(command, {
    args: [...args],
    stdin: stdin ? "piped" : "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const written = stdin && new Blob([stdin]).stream().pipeTo(child.stdin);
  const { code, stdout } = await child.output();
  await written;
  if (code !== 0) throw new Error(`${command} ${args[0]} failed`);
  return stdout;
}

/** Reads the files of a commit, formatted by the settings of today. */
async function readCommit(commit: string): Promise<TreeFile[]> {
  const folder = await Deno.makeTempDir({ prefix: "firn_shape_" });
  try {
    const list = new TextDecoder().decode(
      await run("git", ["ls-tree", "-r", "--name-only", commit]),
    );
    const paths = list.split("\n").filter((path) =>
      READ.some((place) => path === place || path.startsWith(`${place}/`)) ||
      /^\w+\.ts$/.test(path)
    );
    const tops = [...new Set(paths.map((path) => path.split("/")[0]!))];
    const tar = await run("git", ["archive", commit, ...tops]);
    await run("tar", ["-x", "-C", folder], tar);
    const modules = paths.filter((path) => /\.(ts|js|css)$/.test(path))
      .map((path) => `${folder}/${path}`);
    await run(Deno.execPath(), ["fmt", "--quiet", "--no-config", ...modules]);
    return await Promise.all(paths.map(async (path) => ({
      path,
      text: await Deno.readTextFile(`${folder}/${path}`),
    })));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the rows of the table, each with its figure and where it comes from. */
function rowsOf(shape: Shape): [what: string, figure: string, more: string][] {
  const { lines, chainData } = shape;
  const kinds = (...names: string[]) =>
    names.flatMap((name) => lines[name] ?? []);
  const sum = (some: ReturnType<typeof kinds>, field: "all" | "code") =>
    some.reduce((total, each) => total + each[field], 0).toLocaleString("en");
  const service = kinds("services, routes, jobs", "static");
  const product = kinds("services, routes, jobs")[0]?.files ?? 0;
  return [
    [
      "runtime lines (services, routes, jobs, static)",
      sum(service, "all"),
      `${sum(service, "code")} neither blank nor comment`,
    ],
    ...KINDS.flatMap((name): [string, string, string][] => {
      const { all = 0, code = 0, files = 0 } = lines[name] ?? {};
      return files === 0 ? [] : [[
        `  ${name}`,
        all.toLocaleString("en"),
        `${code.toLocaleString("en")} in ${files} files`,
      ]];
    }),
    ["product files", String(product), "services, routes, jobs"],
    [
      "  imported by one other file",
      String(shape.lone.length),
      "services, routes",
    ],
    [
      "  of under 40 lines",
      String(shape.short.length),
      "services, routes",
    ],
    ["pairs of folders that import each other", String(shape.pairs.length), ""],
    [
      "arrows back up in services/chain_data",
      String(chainData.back.length),
      `of ${chainData.arrows}` +
      (chainData.unordered.length > 0
        ? `; without a place in the order: ${chainData.unordered.join(", ")}`
        : ""),
    ],
    ["imports of routes/app.ts", String(shape.appImports), ""],
    ...Object.entries(shape.walks).map(([name, { stays, files }]) =>
      [
        `stays of ${name}`,
        String(stays),
        `in ${files} files, ${stays - files} returns`,
      ] as [string, string, string]
    ),
  ];
}

const args = Deno.args.filter((arg) => arg !== "--list");
const [commit = "HEAD"] = args;
const files = await readCommit(commit);
const walksFile = files.find(({ path }) => path === WALKS);
const walks: Walks = walksFile ? JSON.parse(walksFile.text) : {};
const shape = measureShape(files, walks);
const out: string[] = [];
for (const [what, figure, more] of rowsOf(shape)) {
  out.push(`${what.padEnd(48)}${figure.padStart(8)}  ${more}`.trimEnd());
}
if (args.length < Deno.args.length) {
  const lists = {
    pairs: shape.pairs,
    "imported by one other file": shape.lone,
    "under 40 lines": shape.short,
    "arrows back up": shape.chainData.back,
  };
  for (const [name, list] of Object.entries(lists)) {
    out.push("", `${name}:`, ...list.map((each) => `  ${each}`));
  }
}
const missing = Object.entries(shape.walks).flatMap(([name, { missing }]) =>
  missing.map((stay) => `${WALKS}: ${name} names ${stay}, which does not exist`)
);
// deno-lint-ignore no-console -- this program prints a report.
console.log([...out, ...missing].join("\n"));
if (missing.length > 0) Deno.exit(1);
