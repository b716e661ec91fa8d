import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { readConfig } from "../../services/config.ts";

Deno.test("every setting has a default", () => {
  assertEquals(readConfig({}), {
    port: 8000,
    publicUrl: "http://localhost:8000",
    kvPath: undefined,
    metricsApiUrl: "https://metrics.avax.network",
    explorerApiUrl:
      "https://api.routescan.io/v2/network/mainnet/evm/43114/etherscan/api",
    cChainRpcUrl: "https://api.avax.network/ext/bc/C/rpc",
    pChainRpcUrl: "https://api.avax.network/ext/bc/P",
    startsAt: null,
    runsJobs: true,
  });
});

Deno.test("an empty variable means its default", () => {
  assertEquals(
    readConfig({ PORT: "", FIRN_NOW: "", KV_PATH: "" }),
    readConfig({}),
  );
});

Deno.test("settings are taken over", () => {
  const config = readConfig({
    PORT: "9000",
    PUBLIC_URL: "https://firn.test/",
    KV_PATH: "./firn.sqlite3",
    METRICS_API_URL: "http://127.0.0.1:1/",
    EXPLORER_API_URL: "http://127.0.0.1:2/api",
    C_CHAIN_RPC_URL: "http://127.0.0.1:3/rpc, http://127.0.0.1:4/rpc",
    P_CHAIN_RPC_URL: "http://127.0.0.1:5/P",
    FIRN_NOW: "2026-11-21T08:00:00Z",
    DENO_TIMELINE: "git-branch/x",
  });
  assertEquals(config, {
    port: 9000,
    publicUrl: "https://firn.test",
    kvPath: "./firn.sqlite3",
    metricsApiUrl: "http://127.0.0.1:1/",
    explorerApiUrl: "http://127.0.0.1:2/api",
    cChainRpcUrl: "http://127.0.0.1:3/rpc, http://127.0.0.1:4/rpc",
    pChainRpcUrl: "http://127.0.0.1:5/P",
    startsAt: Date.parse("2026-11-21T08:00:00Z"),
    runsJobs: false,
  });
});

Deno.test("bad settings stop the start, each named with what it accepts", () => {
  const cases: [Record<string, string>, string][] = [
    [{ PORT: "80a" }, 'PORT="80a": accepted is a port from 0 to 65535'],
    [{ PORT: "65536" }, 'PORT="65536": accepted is a port'],
    [
      { PUBLIC_URL: "firn.test" },
      'PUBLIC_URL="firn.test": accepted is an http or https URL',
    ],
    [{ METRICS_API_URL: "ftp://x" }, "METRICS_API_URL"],
    [
      { C_CHAIN_RPC_URL: "http://a.test,b.test" },
      "accepted is one or more http or https URLs with commas between them",
    ],
    [
      { FIRN_NOW: "yesterday" },
      'FIRN_NOW="yesterday": accepted is an instant as ISO 8601',
    ],
    [
      { FIRN_NOW: "2026-11-21T08:00:00Z", DENO_DEPLOY: "1" },
      "accepted is no value on Deno Deploy",
    ],
  ];
  for (const [environment, message] of cases) {
    const error = assertThrows(() => readConfig(environment), Error, message);
    assertStringIncludes(error.message, "Cannot start: bad settings");
  }
  const error = assertThrows(
    () => readConfig({ PORT: "x", PUBLIC_URL: "y" }),
    Error,
  );
  assertStringIncludes(error.message, "PORT=");
  assertStringIncludes(error.message, "PUBLIC_URL=");
});
