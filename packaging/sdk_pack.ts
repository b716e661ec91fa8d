/**
 * Packs the TypeScript SDK for npm into a folder: what `deno pack` makes of it, and
 * the fields of `package.json` that `deno pack` has no setting for.
 */
import { VERSION } from "../services/platform/version.ts";

const SDK = new URL("../sdk/", import.meta.url);

/** Fields of `package.json`. viem is needed for `./attestation` alone. */
const FIELDS = {
  description:
    "Client of Firn: daily chain data of Avalanche, and wallet reputation",
  keywords: ["avalanche", "blockchain", "metrics", "reputation", "sybil"],
  sideEffects: false,
  engines: { node: ">=20" },
  peerDependencies: { viem: "^2.0.0" },
  peerDependenciesMeta: { viem: { optional: true } },
};

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
  const file = `${folder}/package.json`;
  const described = { ...JSON.parse(await Deno.readTextFile(file)), ...FIELDS };
  await Deno.writeTextFile(file, JSON.stringify(described, null, 2) + "\n");
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
