/** Asks the live sources a few small questions, and prints which assumptions of the code hold. It opens no database. */
import { readConfig } from "./services/config.ts";
import {
  examineSources,
  formatFindings,
} from "./services/operator/doctor/examination.ts";
import { openSources } from "./services/operator/doctor/sources_client.ts";
import {
  listChainNeeds,
  listVariableNeeds,
  requirePermitted,
} from "./services/operator/permissions.ts";
import { UPSTREAM_TIMEOUT_MS } from "./services/platform/http/http_client.ts";
import { print } from "./services/operator/command.ts";
import { readEnvironment } from "./services/runtime.ts";
import { runProgram } from "./services/start_error.ts";

await runProgram(async () => {
  requirePermitted(listVariableNeeds());
  const config = readConfig(readEnvironment());
  requirePermitted(listChainNeeds(config));
  const sources = openSources({
    urls: {
      metricsApi: config.metricsApiUrl,
      metricsApis: config.metricsApiUrls,
      chainNodes: config.chainRpcUrls,
      explorer: config.explorerApiUrl,
      chainIndex: config.chainIndexUrls,
      portal: config.portal?.url ?? null,
      nodes: config.cChainRpcUrls,
      platformChain: config.pChainRpcUrl,
      proofChains: config.proofChainUrls,
    },
    explorerApiKey: config.indexes[0].apiKey,
    fetch,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  });
  const findings = await examineSources(sources, {
    chainId: config.chainId,
    token: config.usdcAddress,
    now: Date.now(),
    metricsCallsPerMinute: config.calls.metrics.perMinute!,
    readsAvaxNames: config.readsAvaxNames,
  });
  print(formatFindings(findings, sources.countCalls()));
  Deno.exit(findings.some(({ holds }) => holds === false) ? 1 : 0);
});
