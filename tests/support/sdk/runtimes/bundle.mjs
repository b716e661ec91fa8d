/**
 * Bundles programs, and prints what the bundlers complained of. It runs in Node, in a
 * folder with the bundlers: node bundle.mjs <bundler> <folder of the programs>
 */
import process from "node:process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const [bundler, app] = process.argv.slice(2);
const entry = `${app}/bundled.js`;
const file = `${app}/out/${bundler}.js`;
const { resolve } = createRequire(import.meta.url);
const modules = fileURLToPath(new URL("node_modules", import.meta.url));

/** Packages that the output of Babel and the globals of React Native import. */
const FOR_METRO = [
  ...["@babel/runtime", "abort-controller", "event-target-shim"],
  ...["metro-runtime", "whatwg-fetch"],
];

const BUNDLERS = {
  async esbuild(options = { entryPoints: [entry], format: "iife" }) {
    const { build } = await import("esbuild");
    const common = { bundle: true, outfile: file, logLevel: "silent" };
    const { warnings } = await build({ ...common, ...options });
    return warnings.map(({ text }) => text);
  },

  workerd: () =>
    BUNDLERS.esbuild({
      entryPoints: [`${app}/worker.js`],
      format: "esm",
      conditions: ["workerd", "worker"],
      nodePaths: [modules], // viem
    }),

  async rollup() {
    const { rollup } = await import("rollup");
    const { nodeResolve } = await import("@rollup/plugin-node-resolve");
    const warnings = [];
    const bundle = await rollup({
      input: entry,
      plugins: [nodeResolve()],
      onwarn: ({ message }) => warnings.push(message),
    });
    await bundle.write({ file, format: "iife" });
    return warnings;
  },

  async webpack() {
    const { default: webpack } = await import("webpack");
    const stats = await new Promise((done, fail) =>
      webpack({
        mode: "production",
        context: app,
        entry,
        output: { path: `${app}/out`, filename: `${bundler}.js` },
      }, (error, stats) => error ? fail(error) : done(stats))
    );
    const { errors, warnings } = stats.toJson({ errors: true, warnings: true });
    return [...errors, ...warnings].map(({ message }) => message);
  },

  async vite() {
    const { build, createLogger } = await import("vite");
    const warnings = [];
    const warn = (message) => warnings.push(message);
    const lib = { entry, formats: ["es"], fileName: () => `${bundler}.js` };
    await build({
      root: app,
      configFile: false,
      build: { outDir: `${app}/out`, emptyOutDir: false, lib },
      customLogger: { ...createLogger("silent"), warn, warnOnce: warn },
    });
    return warnings;
  },

  async metro(entry = `${app}/bundled.js`, resolver = {}) {
    const { default: Metro } = await import("metro");
    const { getDefaultConfig, mergeConfig } = await import("metro-config");
    const extraNodeModules = Object.fromEntries(
      FOR_METRO.map((name) => [name, `${modules}/${name}`]),
    );
    const config = mergeConfig(await getDefaultConfig(app), {
      projectRoot: app,
      watchFolders: [app, ...Object.values(extraNodeModules)],
      resolver: { extraNodeModules, ...resolver },
      transformer: {
        babelTransformerPath: resolve("@react-native/metro-babel-transformer"),
      },
      reporter: { update() {} },
    });
    const options = { entry, out: file, dev: false, minify: false };
    await Metro.runBuild(config, { ...options, platform: "ios" });
    return [];
  },

  metro_with_exports: () =>
    BUNDLERS.metro(entry, { unstable_enablePackageExports: true }),

  react_native: () => BUNDLERS.metro(`${app}/native.js`),
};

// Bundlers print too: this is the last line.
process.stdout.write(`\n${JSON.stringify(await BUNDLERS[bundler]())}`);
