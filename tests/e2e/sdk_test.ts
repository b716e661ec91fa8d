/** The SDK as it is published: its package, its size, and one program in three runtimes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { recoverTypedDataAddress as recover } from "viem";
import * as attestation from "../../sdk/attestation.ts";
import * as sdk from "../../sdk/mod.ts";
import { VERSION } from "../../services/platform/version.ts";
import { inBrowser, openBrowser } from "../support/browser/browser.ts";
import { linkPackage } from "../support/sdk/node_modules.ts";
import {
  install,
  PROGRAMS,
  run,
  SCENARIO,
  serveScenario,
} from "../support/sdk/published.ts";
import { runScenario } from "../support/sdk/scenario.js";

/** Bytes that the minified SDK may have, compressed. */
const MAX_GZIP = 6_000;

/** The packed SDK of all tests: a pack starts a process that checks types. */
let packed: ReturnType<typeof install> | undefined;
const installed = () => packed ??= install();

Deno.test.afterAll(async () => await (await packed)?.[Symbol.asyncDispose]());

async function gzipSize(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const stream = new Blob([bytes]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

Deno.test("the npm package has no dependency, modules for import and for require, types with comments, and at most 6 kB of gzip", async (t) => {
  const { packed, folder } = await installed();

  await t.step("package.json", async () => {
    const described = JSON.parse(
      await Deno.readTextFile(`${packed}/package.json`),
    );
    assertEquals(described.name, "@firn/sdk");
    assertEquals(described.version, VERSION);
    assertEquals(described.dependencies, undefined);
    assertEquals(described.peerDependencies, undefined);
    const files: string[] = [];
    JSON.stringify(described.exports, (_, value) => {
      if (typeof value === "string") files.push(value);
      return value;
    });
    assertEquals(files.length, 8); // two entries, two kinds, types and code
    for (const file of files) await Deno.stat(`${packed}/${file}`);
  });

  await t.step("imports nothing but its own files", async () => {
    const imported = new Set<string>();
    for await (const { name } of Deno.readDir(packed)) {
      if (!name.endsWith(".js")) continue;
      const code = (await Deno.readTextFile(`${packed}/${name}`))
        .replaceAll(/^\s*\/?\*.*$/gm, "");
      for (const [, from] of code.matchAll(/(?:from |import\()"([^"]+)"/g)) {
        if (!from!.startsWith("./")) imported.add(`${name}: ${from}`);
      }
    }
    assertEquals([...imported], []);
  });

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
      args: ["--bundle", "--minify", "--format=esm", whole],
    }).output();
    const size = await gzipSize(stdout);
    assert(size > 1_000 && size <= MAX_GZIP, `${size} bytes`);
  });
});

inBrowser.test("one program sees the same in Deno, in Node and in a browser", async (t) => {
  const { folder, packed } = await installed();
  await using service = await serveScenario();
  const { settings } = service;
  const seen = await runScenario(
    { ...sdk, ...attestation, recover },
    settings,
  );

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
      history: [7, true],
      genuine: [],
      forged: ["SIGNATURE_INVALID"],
      noFile: ["FirnError", "NOT_FOUND", 404],
      refused: ["FirnError", "BAD_REQUEST", 400],
      unknownChain: ["FirnError", "NOT_FOUND", 404],
      keyless: ["FirnError", "UNAUTHORIZED", 401],
      badKey: ["FirnError", "UNAUTHORIZED", 401],
      moved: ["FirnError", "BAD_ANSWER"],
      aborted: "AbortError",
      timeout: ["FirnError", "TIMEOUT", 0],
      isFirnError: true,
    });
    assertEquals(seen.points.length, 4);
    assertEquals(service.leaked, []);
  });

  await linkPackage("viem", `${folder}/node_modules`);
  for (const name of ["import.mjs", "require.cjs"]) {
    await t.step(`Node, ${name}`, async () => {
      await Deno.copyFile(new URL(name, PROGRAMS), `${folder}/${name}`);
      const args = ["--preserve-symlinks", name, JSON.stringify(settings)];
      const output = await run("node", args, { cwd: folder });
      assertEquals(JSON.parse(output), seen);
    });
  }

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
    await page.goto(`${settings.baseUrl}/status`);
    // Pages have no viem; the service's own verifier recovers the signer.
    const found = await page.evaluate(`(async () => {
        const sdk = await import("/sdk/mod.js");
        const { verifyAttestation } = await import("/sdk/attestation.js");
        const { runScenario } = await import("/sdk/scenario.js");
        const { digestOf, recoverSigner } = await import("/static/attestation.js");
        const recover = async (statement) =>
          recoverSigner(digestOf(statement), statement.signature);
        return await runScenario(
          { ...sdk, verifyAttestation, recover },
          ${JSON.stringify(settings)},
        );
      })()`);
    assertEquals(found, seen);
    assertEquals(troubles.foreign, []);
  });
});
