/** The program that every bundler bundles. No other package is installed beside the SDK, viem least of all. */
import * as attestation from "@firn/sdk/attestation";
import * as sdk from "@firn/sdk";
import { runScenario } from "./scenario.mjs";

globalThis.runBundled = (recover, settings) =>
  runScenario({ ...sdk, ...attestation, recover }, settings);
