/** The program that Metro bundles: what React Native 0.76 sets up, and then the SDK. */
import "./polyfills.js";
import * as attestation from "@firn/sdk/attestation";
import * as sdk from "@firn/sdk";
import { runScenario } from "./scenario.mjs";

globalThis.runBundled = (recover, settings) =>
  runScenario({ ...sdk, ...attestation, recover }, settings);

/** Reads pages and a keyed answer, for an engine without a network. */
globalThis.runOffline = async () => {
  const firn = new sdk.Firn({ baseUrl: "http://firn.example", apiKey: "key" });
  const days = [];
  const asked = { from: "2023-12-31", to: "2024-01-02" };
  for await (const { day } of firn.metrics(asked)) days.push(day);
  const { used } = await firn.usage();
  return JSON.stringify([days, used]);
};
