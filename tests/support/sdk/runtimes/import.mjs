/** Runs the scenario in Node with modules, and prints what it saw: node import.mjs <settings> */
import process from "node:process";
import * as attestation from "@firn/sdk/attestation";
import * as sdk from "@firn/sdk";
import { recoverTypedDataAddress as recover } from "viem";
import { runScenario } from "./scenario.mjs";

const modules = { ...sdk, ...attestation, recover };
const seen = await runScenario(modules, JSON.parse(process.argv[2]));
process.stdout.write(JSON.stringify(seen));
