/** The worker that workerd runs: it answers with what the scenario saw. */
import * as attestation from "@firn/sdk/attestation";
import * as sdk from "@firn/sdk";
import { recoverTypedDataAddress as recover } from "viem";
import { runScenario } from "./scenario.mjs";

export default {
  async fetch(request) {
    const modules = { ...sdk, ...attestation, recover };
    return Response.json(await runScenario(modules, await request.json()));
  },
};
