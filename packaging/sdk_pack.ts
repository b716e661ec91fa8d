/**
 * Packs the TypeScript SDK for npm into a folder: what `deno pack` makes of it, the
 * same as CommonJS, and the fields of `package.json` that `deno pack` has no setting
 * for.
 */
import ts from "typescript";
import { VERSION } from "../services/platform/version.ts";

const SDK = new URL("../sdk/", import.meta.url);

/** Fields of `package.json`. */
const FIELDS = {
  description:
    "Client of Firn: daily chain data of Avalanche, and wallet reputation",
  keywords: ["avalanche", "blockchain", "metrics", "reputation", "sybil"],
  sideEffects: false,
  engines: { node: ">=20" },
};

/** The folder of the CommonJS modules, for `require` before Node 22.12 and for TypeScript's `node16`. */
const CJS = "cjs";

/** Packs the SDK into an existing folder, which `npm publish` takes. */
export async function packSdk(folder: string): Promise<void> {
  const archive = `${folder}/sdk.tgz`;
  await run(Deno.execPath(), [
    "pack",
    "--quiet",
    "--allow-dirty",
    "--no-source-maps",
    `--set-version=${VERSION}`,
    `--output=${archive}`,
  ]);
  await run("tar", ["-xzf", archive, "-C", folder, "--strip-components=1"]);
  await Deno.remove(archive);
  await writeCommonJs(folder);
  const described = JSON.parse(
    await Deno.readTextFile(`${folder}/package.json`),
  );
  await writeJson(`${folder}/package.json`, {
    ...described,
    exports: withCommonJs(described.exports),
    ...FIELDS,
  });
}

type Exports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Adds the CommonJS module of each entry, with types of its own: those of a `type: module` are for `import`. */
function withCommonJs(exports: Exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([entry, { types, default: module }]) => [
      entry,
      {
        import: { types, default: module },
        require: {
          types: types!.replace("./", `./${CJS}/`),
          default: module!.replace("./", `./${CJS}/`),
        },
      },
    ]),
  );
}

async function writeCommonJs(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/${CJS}`);
  await writeJson(`${folder}/${CJS}/package.json`, { type: "commonjs" });
  const { CommonJS: module } = ts.ModuleKind;
  const compilerOptions = { module, target: ts.ScriptTarget.ES2022 };
  for await (const { name } of Deno.readDir(folder)) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const text = await Deno.readTextFile(`${folder}/${name}`);
    const written = name.endsWith(".js")
      ? ts.transpileModule(text, { compilerOptions }).outputText
      : text;
    await Deno.writeTextFile(`${folder}/${CJS}/${name}`, written);
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(file, JSON.stringify(value, null, 2) + "\n");
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: SDK,
    stdout: "null",
  }).output();
  if (!success) {
    const reason = new TextDecoder().decode(stderr);
    throw new Error(`Cannot run ${program} ${args[0]}: ${reason}`);
  }
}

if (import.meta.main) {
  const [folder] = Deno.args;
  if (folder === undefined) {
    throw new Error("Missing folder: expected deno task sdk-pack <folder>");
  }
  await Deno.mkdir(folder, { recursive: true });
  await packSdk(await Deno.realPath(folder));
}
