/** Runs a bundle in Node, and prints what the scenario saw: node run_bundle.mjs <bundle> <settings> */
import process from "node:process";
import { pathToFileURL } from "node:url";
import { recoverTypedDataAddress as recover } from "viem";

const [bundle, settings] = process.argv.slice(2);
await import(pathToFileURL(bundle));
const seen = await globalThis.runBundled(recover, JSON.parse(settings));
process.stdout.write(JSON.stringify(seen));
