/** The SDK as it is published: its package, its size, and one program in three runtimes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { packSdk } from "../../packaging/sdk_pack.ts";
import * as attestation from "../../sdk/attestation.ts";
import * as sdk from "../../sdk/mod.ts";
import { VERSION } from "../../services/platform/version.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { SIGNING } from "../support/attestations.ts";
import { BROWSER_SKIPPED, openBrowser } from "../support/browser/browser.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import { serve } from "../support/loopback.ts";
import { ROOT } from "../support/processes/service.ts";
import { linkPackage } from "../support/sdk/node_modules.ts";
import { runScenario } from "../support/sdk/scenario.js";

/** Bytes that the minified SDK may have, compressed. */
const MAX_GZIP = 6_000;

const SDK = new URL("sdk/", ROOT);
const SCENARIO = new URL("tests/support/sdk/scenario.js", ROOT);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Runs a program, and returns what it printed. Throws what it complained of if it failed. */
async function run(
  program: string | URL,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<string> {
  const env = { NO_COLOR: "1", ...options.env };
  const { success, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    args: [...args],
    env,
  }).output();
  assert(success, `${args.join(" ")}\n${text(stdout)}${text(stderr)}`);
  return text(stdout) + text(stderr);
}

/** Packs the SDK as a package of a folder's `node_modules`. */
async function install() {
  const folder = await Deno.makeTempDir({ prefix: "firn_sdk_" });
  const packed = `${folder}/node_modules/@firn/sdk`;
  await Deno.mkdir(packed, { recursive: true });
  await packSdk(packed);
  return {
    folder,
    packed,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function gzipSize(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const stream = new Blob([bytes]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

Deno.test("the npm package has no dependency, an optional peer, types with comments, and at most 6 kB of gzip", async (t) => {
  await using installed = await install();
  const { packed, folder } = installed;

  await t.step("package.json", async () => {
    const described = JSON.parse(
      await Deno.readTextFile(`${packed}/package.json`),
    );
    assertEquals(described.name, "@firn/sdk");
    assertEquals(described.version, VERSION);
    assertEquals(described.dependencies, undefined);
    assertEquals(described.peerDependenciesMeta, { viem: { optional: true } });
    for (
      const { types, import: module } of Object.values<Record<string, string>>(
        described.exports,
      )
    ) {
      assert((await Deno.stat(`${packed}/${types}`)).isFile);
      assert((await Deno.stat(`${packed}/${module}`)).isFile);
    }
  });

  await t.step(
    "imports nothing but its own files, and viem when it is needed",
    async () => {
      const imported = new Set<string>();
      for await (const { name } of Deno.readDir(packed)) {
        if (!name.endsWith(".js")) continue;
        const code = (await Deno.readTextFile(`${packed}/${name}`))
          .replaceAll(/^\s*\/?\*.*$/gm, "");
        for (const [, from] of code.matchAll(/(?:from |import\()"([^"]+)"/g)) {
          if (!from!.startsWith("./")) imported.add(`${name}: ${from}`);
        }
      }
      assertEquals([...imported], ["attestation.js: viem"]);
    },
  );

  await t.step("types", async () => {
    const types = await Deno.readTextFile(`${packed}/client.d.ts`);
    assertMatch(
      types,
      /\* Reads the live score of an address\. It costs one unit\./,
    );
  });

  await t.step("size", async () => {
    const esbuild = new URL(
      "./bin/esbuild",
      import.meta.resolve("@esbuild/linux-x64/package.json"),
    );
    const whole = `${folder}/whole.js`;
    await Deno.writeTextFile(
      whole,
      'export * from "@firn/sdk"; export * from "@firn/sdk/attestation";',
    );
    const { stdout } = await new Deno.Command(esbuild, {
      args: ["--bundle", "--minify", "--format=esm", "--external:viem", whole],
    }).output();
    const size = await gzipSize(stdout);
    assert(size > 1_000 && size <= MAX_GZIP, `${size} bytes`);
  });
});

Deno.test("the JSR package has no slow types, no undocumented symbol, and all that it needs", async () => {
  const report = await run(Deno.execPath(), [
    "publish",
    "--dry-run",
    "--allow-dirty",
    `--set-version=${VERSION}`,
  ], { cwd: SDK });
  for (const name of ["mod.ts", "attestation.ts", "README.md", "LICENSE"]) {
    assert(report.includes(`/sdk/${name} `), name);
  }
  await run(Deno.execPath(), ["doc", "--lint", "mod.ts", "attestation.ts"], {
    cwd: SDK,
  });
  // The examples of its README compile.
  const imports = { "@firn/sdk": new URL("mod.ts", SDK).href };
  const map = `data:application/json,${JSON.stringify({ imports })}`;
  const flags = ["--no-config", "--no-lock", `--import-map=${map}`];
  await run(Deno.execPath(), ["check", ...flags, "--doc-only", "README.md"], {
    cwd: SDK,
  });
});

Deno.test({
  name: "one program sees the same in Deno, in Node and in a browser",
  ignore: BROWSER_SKIPPED,
  async fn(t) {
    await using installed = await install();
    const { folder, packed } = installed;
    // The verification of signatures uses the runtimes' clocks.
    const start = new Date().toISOString();
    using deps = await testDeps({ start, settings: SIGNING });
    const { key } = await enrol(deps, { plan: "growth" });
    await using service = serve(deps);
    const settings = {
      baseUrl: service.url,
      apiKey: key,
      subject: exampleOf("heavy"),
      recover: undefined,
    };
    const seen = await runScenario({ ...sdk, ...attestation }, settings);

    await t.step("Deno", () => {
      assertEquals(seen, {
        ...seen,
        points: seen.points,
        metric: ["avgTps", 4, 200],
        text: false,
        checked: 2,
        disputes: "number",
        health: "ok",
        batch: [51, true],
        quota: ["growth", 250_000],
        windows: ["period", "burst"],
        history: [7, 1],
        genuine: [],
        forged: ["SIGNATURE_INVALID"],
        noFile: ["FirnError", "NOT_FOUND", 404],
        refused: ["FirnError", "BAD_REQUEST", 400],
        unknownChain: ["FirnError", "NOT_FOUND", 404],
        keyless: ["FirnError", "UNAUTHORIZED", 401],
        badKey: ["FirnError", "UNAUTHORIZED", 401],
        aborted: "AbortError",
        timeout: ["FirnError", "TIMEOUT", 0],
        isFirnError: true,
      });
      assertEquals(seen.points.length, 4);
    });

    await t.step("Node", async () => {
      await linkPackage("viem", `${folder}/node_modules`);
      await Deno.copyFile(SCENARIO, `${folder}/scenario.mjs`);
      const program = `${folder}/program.mjs`;
      await Deno.writeTextFile(
        program,
        `import * as sdk from "@firn/sdk";
import * as attestation from "@firn/sdk/attestation";
import { runScenario } from "./scenario.mjs";
const seen = await runScenario({ ...sdk, ...attestation }, ${
          JSON.stringify(settings)
        });
console.log(JSON.stringify(seen));`,
      );
      const output = await run("node", ["--preserve-symlinks", program], {
        cwd: folder,
      });
      assertEquals(JSON.parse(output), seen);
    });

    await t.step("a browser", async () => {
      await using browser = openBrowser();
      const { page, troubles } = await browser.newPage();
      await page.route("**/sdk/*.js", async (route) => {
        const name = new URL(route.request().url()).pathname.split("/").at(-1)!;
        const file = name === "scenario.js" ? SCENARIO : `${packed}/${name}`;
        await route.fulfill({
          contentType: "text/javascript",
          body: await Deno.readTextFile(file),
        });
      });
      await page.goto(`${service.url}/status`);
      // Pages have no viem; the service's own verifier recovers the signer.
      const found = await page.evaluate(`(async () => {
        const sdk = await import("/sdk/mod.js");
        const { verifyAttestation } = await import("/sdk/attestation.js");
        const { runScenario } = await import("/sdk/scenario.js");
        const { digestOf, recoverSigner } = await import("/static/attestation.js");
        const recover = async (statement) =>
          recoverSigner(digestOf(statement), statement.signature);
        return await runScenario({ ...sdk, verifyAttestation }, {
          ...${JSON.stringify(settings)},
          recover,
        });
      })()`);
      assertEquals(found, seen);
      assertEquals(troubles.foreign, []);
    });
  },
});
