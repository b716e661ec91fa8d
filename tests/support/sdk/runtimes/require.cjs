/** Runs the scenario in Node with CommonJS, and prints what it saw: node require.cjs <settings> */
const process = require("node:process");
const sdk = require("@firn/sdk");
const attestation = require("@firn/sdk/attestation");
const { recoverTypedDataAddress: recover } = require("viem");

import("./scenario.mjs").then(async ({ runScenario }) => {
  const modules = { ...sdk, ...attestation, recover };
  const seen = await runScenario(modules, JSON.parse(process.argv[2]));
  process.stdout.write(JSON.stringify(seen));
});
