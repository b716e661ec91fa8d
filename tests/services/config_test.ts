import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { StartError } from "../../services/start_error.ts";
import { readConfig } from "../../services/config.ts";
import { SETTING_NAMES } from "../../services/settings.ts";

Deno.test("readConfig() has a default for every setting", () => {
  assertEquals(readConfig({}), {
    port: 8000,
    publicUrl: "http://localhost:8000",
    kvPath: undefined,
    kvEndpointUrls: [],
    metricsApiUrl: "https://metrics.avax.network",
    metricsApiUrls: new Map(),
    explorerApiUrl:
      "https://api.routescan.io/v2/network/mainnet/evm/43114/etherscan/api",
    chainIndexUrls: {
      chains: "https://api.routescan.io/v2/network/mainnet/evm",
      aggregations: "https://cdn.routescan.io/api/evm",
    },
    chainRpcUrls: new Map(),
    cChainRpcUrls: ["https://api.avax.network/ext/bc/C/rpc"],
    pChainRpcUrl: "https://api.avax.network/ext/bc/P",
    proofChainUrls: {},
    indexes: [{
      url:
        "https://api.routescan.io/v2/network/mainnet/evm/43114/etherscan/api",
      apiKey: null,
      calls: { perSecond: 2, perDay: 10_000 },
    }],
    portal: null,
    coldReadShare: 1,
    calls: {
      metrics: { perMinute: 80, perDay: 12_000 },
      cChain: { perMinute: 240 },
      pChain: { perMinute: 240 },
    },
    chainId: 43114,
    readsAvaxNames: false,
    usdcAddress: "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
    treasuryAddress: null,
    attestation: null,
    formerSigners: [],
    metricFilesDays: 1,
    manifestSigning: { privateKey: null, formerKeys: [] },
    github: null,
    openRequestsPerMinute: 6000,
    proxies: { hops: 0, networks: null, isBypassable: false },
    listenAddress: "0.0.0.0",
    securityContact: null,
    hasHostedDatabase: false,
    requiresStoreId: false,
    startsAt: null,
    runsJobs: true,
  });
});

Deno.test("readConfig() reads EXPLORER_API_URL with and without a chain id, and as the API of one chain", () => {
  const urlsOf = (EXPLORER_API_URL: string) => {
    const { explorerApiUrl, chainIndexUrls } = readConfig({ EXPLORER_API_URL });
    return [explorerApiUrl, chainIndexUrls];
  };
  const routescan = "https://api.routescan.io/v2/network/mainnet/evm";
  const all = {
    chains: routescan,
    aggregations: "https://cdn.routescan.io/api/evm",
  };
  const cChain = `${routescan}/43114/etherscan/api`;
  assertEquals(urlsOf(routescan), [cChain, all]);
  assertEquals(urlsOf(`${routescan}/`), [cChain, all]);
  assertEquals(urlsOf(cChain), [cChain, all]);
  const own = "https://explorer.test/evm";
  assertEquals(urlsOf(own), [
    `${own}/43114/etherscan/api`,
    { chains: own, aggregations: own },
  ]);
  for (
    const url of ["https://one.test/api", "https://one.test:8443/api?key=1"]
  ) {
    assertEquals(urlsOf(url), [url, { chains: null, aggregations: null }]);
  }
});

Deno.test("readConfig() uses the default of an empty variable", () => {
  assertEquals(
    readConfig({ PORT: "", FIRN_NOW: "", KV_PATH: "" }),
    readConfig({}),
  );
});

Deno.test("readConfig() reads every setting", () => {
  const config = readConfig({
    PORT: "9000",
    PUBLIC_URL: "https://firn.test/",
    KV_PATH: "./firn.sqlite3",
    KV_ENDPOINT_URLS: "https://one.test/kv, https://two.test/kv",
    METRICS_API_URL: "http://127.0.0.1:1/",
    METRICS_API_URLS:
      '{"4337":"https://beam.test/api","2044":"https://two.test"}',
    EXPLORER_API_URL: "http://127.0.0.1:2/api",
    EXPLORER_AGGREGATIONS_URL: "http://127.0.0.1:8/evm/",
    EXPLORER_API_KEY: "explorer-key",
    EXPLORER_CALLS_PER_SECOND: "9",
    EXPLORER_CALLS_PER_MINUTE: "99",
    EXPLORER_CALLS_PER_DAY: "900000",
    EXPLORER_INDEXES:
      '[{"url":"http://127.0.0.1:9/api","key":"another-key","perDay":70000}]',
    SQD_PORTAL_URL: "http://127.0.0.1:10/datasets/c-chain/",
    SQD_PORTAL_CALLS_PER_SECOND: "50",
    SQD_PORTAL_CALLS_PER_DAY: "60000",
    COLD_READS_PERCENT: "10",
    METRICS_CALLS_PER_SECOND: "3",
    METRICS_CALLS_PER_MINUTE: "90",
    METRICS_CALLS_PER_DAY: "9000",
    C_CHAIN_CALLS_PER_SECOND: "7",
    C_CHAIN_CALLS_PER_DAY: "5000",
    P_CHAIN_CALLS_PER_MINUTE: "30",
    CHAIN_RPC_URLS: '{"4337":"https://beam.test/rpc"}',
    C_CHAIN_RPC_URL: "http://127.0.0.1:3/rpc, http://127.0.0.1:4/rpc",
    P_CHAIN_RPC_URL: "http://127.0.0.1:5/P",
    CHAIN_ID: "43113",
    AVAX_NAMES: "avvy",
    USDC_ADDRESS: `0x${"5C".repeat(20)}`,
    METRIC_FILES_DAYS: "7",
    TREASURY_ADDRESS: `0x${"7E".repeat(20)}`,
    ATTESTATION_PRIVATE_KEY: `0x${"a1".repeat(32)}`,
    ATTESTATION_CONTRACT: `0x${"C0".repeat(20)}`,
    ATTESTATION_SIGNERS: `0x${"7E".repeat(20)}:retiring , 0x${
      "4e".repeat(20)
    }:revoked`,
    MANIFEST_PRIVATE_KEY:
      "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN",
    WORLD_CHAIN_RPC_URL: "http://127.0.0.1:6/world",
    OPTIMISM_RPC_URL: "http://127.0.0.1:7/op",
    MANIFEST_FORMER_KEYS: `${"x".repeat(43)}, ${"-".repeat(43)}`,
    GITHUB_CLIENT_ID: "Iv1.0123456789abcdef",
    GITHUB_CLIENT_SECRET: "a secret",
    GITHUB_URL: "http://127.0.0.1:6/",
    GITHUB_API_URL: "http://127.0.0.1:7/",
    FAIR_USE_PER_MINUTE: "600",
    TRUSTED_PROXY_HOPS: "2",
    TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::1",
    LISTEN_ADDRESS: "127.0.0.1",
    SECURITY_CONTACT: "mailto:security@firn.test",
    FIRN_NOW: "2026-11-21T08:00:00Z",
    DENO_TIMELINE: "git-branch/x",
  });
  assertEquals(config, {
    port: 9000,
    publicUrl: "https://firn.test",
    kvPath: "./firn.sqlite3",
    kvEndpointUrls: ["https://one.test/kv", "https://two.test/kv"],
    metricsApiUrl: "http://127.0.0.1:1/",
    metricsApiUrls: new Map([
      [4337, "https://beam.test/api"],
      [2044, "https://two.test"],
    ]),
    explorerApiUrl: "http://127.0.0.1:2/api",
    chainIndexUrls: { chains: null, aggregations: "http://127.0.0.1:8/evm" },
    chainRpcUrls: new Map([[4337, "https://beam.test/rpc"]]),
    cChainRpcUrls: ["http://127.0.0.1:3/rpc", "http://127.0.0.1:4/rpc"],
    pChainRpcUrl: "http://127.0.0.1:5/P",
    proofChainUrls: {
      worldChain: "http://127.0.0.1:6/world",
      optimism: "http://127.0.0.1:7/op",
    },
    indexes: [{
      url: "http://127.0.0.1:2/api",
      apiKey: "explorer-key",
      calls: { perSecond: 9, perMinute: 99, perDay: 900_000 },
    }, {
      url: "http://127.0.0.1:9/api",
      apiKey: "another-key",
      calls: { perSecond: 5, perDay: 70_000 },
    }],
    portal: {
      url: "http://127.0.0.1:10/datasets/c-chain",
      calls: { perSecond: 50, perDay: 60_000 },
    },
    coldReadShare: 0.1,
    calls: {
      metrics: { perSecond: 3, perMinute: 90, perDay: 9_000 },
      cChain: { perSecond: 7, perMinute: 240, perDay: 5_000 },
      pChain: { perMinute: 30 },
    },
    chainId: 43113,
    // They are names of the C-Chain.
    readsAvaxNames: false,
    usdcAddress: `0x${"5c".repeat(20)}`,
    treasuryAddress: `0x${"7e".repeat(20)}`,
    attestation: {
      privateKey: `0x${"a1".repeat(32)}`,
      contract: `0x${"c0".repeat(20)}`,
    },
    formerSigners: [
      { address: `0x${"7e".repeat(20)}`, status: "retiring" },
      { address: `0x${"4e".repeat(20)}`, status: "revoked" },
    ],
    metricFilesDays: 7,
    manifestSigning: {
      privateKey:
        "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN",
      formerKeys: ["x".repeat(43), "-".repeat(43)],
    },
    github: {
      clientId: "Iv1.0123456789abcdef",
      clientSecret: "a secret",
      url: "http://127.0.0.1:6",
      apiUrl: "http://127.0.0.1:7",
    },
    securityContact: "mailto:security@firn.test",
    requiresStoreId: false,
    startsAt: Date.parse("2026-11-21T08:00:00Z"),
    openRequestsPerMinute: 600,
    proxies: {
      hops: 2,
      networks: ["10.0.0.0/8", "2001:db8::1"],
      isBypassable: false,
    },
    listenAddress: "127.0.0.1",
    hasHostedDatabase: false,
    runsJobs: false,
  });
});

Deno.test("readConfig() knows that a server and Deno Deploy have a hosted database, and a file is none", () => {
  const isHosted = (environment: Record<string, string>) =>
    readConfig(environment).hasHostedDatabase;
  assertEquals(isHosted({ KV_PATH: "https://kv.example.org" }), true);
  assertEquals(
    isHosted({ DENO_DEPLOY: "1", PUBLIC_URL: "https://firn.example" }),
    true,
  );
  assertEquals(isHosted({ KV_PATH: "./firn.sqlite3" }), false);
  assertEquals(isHosted({ KV_PATH: ":memory:" }), false);
});

Deno.test("readConfig() has the files of a metric built weekly on Deno Deploy, and daily elsewhere, unless it is set", () => {
  const daysOf = (environment: Record<string, string>) =>
    readConfig(environment).metricFilesDays;
  const deployed = { DENO_DEPLOY: "1", PUBLIC_URL: "https://firn.example" };
  assertEquals(daysOf(deployed), 7);
  assertEquals(daysOf({ ...deployed, METRIC_FILES_DAYS: "1" }), 1);
  assertEquals(daysOf({ KV_PATH: "https://kv.example.org" }), 1);
  assertEquals(daysOf({}), 1);
});

Deno.test("readConfig() requires PUBLIC_URL and a store id on Deno Deploy, and nowhere else", () => {
  assertThrows(
    () => readConfig({ DENO_DEPLOY: "1" }),
    StartError,
    "invalid PUBLIC_URL: expected the address of the app on Deno Deploy",
  );
  const PUBLIC_URL = "https://firn.example";
  const deployed = readConfig({ DENO_DEPLOY: "1", PUBLIC_URL });
  assertEquals(deployed.requiresStoreId, true);
  assertEquals(readConfig({}).requiresStoreId, false);
});

Deno.test("readConfig() takes the limits of a free key if the explorer index has a key, and public ones where an index has none", () => {
  const indexes = (settings: Record<string, string>) =>
    readConfig(settings).indexes.map(({ calls }) => calls);
  assertEquals(indexes({ EXPLORER_API_KEY: "explorer-key" }), [
    { perSecond: 5, perDay: 100_000 },
  ]);
  const EXPLORER_INDEXES = '[{"url":"http://own.example/api","perSecond":50}]';
  assertEquals(indexes({ EXPLORER_INDEXES })[1], {
    perSecond: 50,
    perDay: 10_000,
  });
});

Deno.test("readConfig() requires a valid signing key with a contract, and never shows the key", async (t) => {
  const key = `0x${"5e".repeat(32)}`;
  const contract = `0x${"c0".repeat(20)}`;
  const signer = `0x${"7e".repeat(20)}`;
  const pair =
    "invalid ATTESTATION_CONTRACT: expected an address with ATTESTATION_PRIVATE_KEY, and no value without it";
  const list =
    "invalid ATTESTATION_SIGNERS: expected <address>:retiring or <address>:revoked, separated by commas";
  const curve =
    "invalid ATTESTATION_PRIVATE_KEY: expected 0x and 64 hexadecimal digits, a private key of the curve secp256k1";
  const cases: [
    name: string,
    key: string,
    contract: string,
    signers: string,
    error: string,
  ][] = [
    ["a key alone", key, "", "", pair],
    ["a contract alone", "", contract, "", pair],
    ["no 0x", key.slice(2), contract, "", curve],
    ["a digit less", key.slice(0, -1), contract, "", curve],
    ["a line break", `${key}\n`, contract, "", curve],
    ["zero", `0x${"0".repeat(64)}`, contract, "", curve],
    ["beyond the curve", `0x${"f".repeat(64)}`, contract, "", curve],
    [
      "an invalid contract",
      key,
      "0xc0",
      "",
      "invalid ATTESTATION_CONTRACT: expected 0x and 40",
    ],
    ["no state", key, contract, signer, list],
    ["another state", key, contract, `${signer}:active`, list],
    [
      "one of two without a state",
      key,
      contract,
      `${signer}:retiring,${contract}`,
      list,
    ],
    ["no comma", key, contract, `${signer}:retiring ${signer}:revoked`, list],
    ["twice", key, contract, `${signer}:retiring,${signer}:revoked`, list],
  ];
  for (const [name, key, contract, signers, error] of cases) {
    await t.step(name, () => {
      const { message } = assertThrows(
        () =>
          readConfig({
            ATTESTATION_PRIVATE_KEY: key,
            ATTESTATION_CONTRACT: contract,
            ATTESTATION_SIGNERS: signers,
          }),
        Error,
      );
      assertMatch(message, new RegExp(error));
      assert(!/(5e|ff|00){31}/.test(message), message);
    });
  }
});

Deno.test("readConfig() accepts OTEL_DENO=true without Deno's own spans, and on Deno Deploy", () => {
  for (
    const environment of [
      { OTEL_DENO: "false" },
      { OTEL_DENO: "true", OTEL_DENO_TRACING: "false" },
      { OTEL_DENO: "TRUE", OTEL_DENO_TRACING: "False" },
      { OTEL_DENO: "1" },
      {
        OTEL_DENO: "true",
        DENO_DEPLOY: "1",
        PUBLIC_URL: "https://firn.example",
      },
    ]
  ) readConfig(environment);
});

Deno.test("readConfig() throws for invalid settings, with the expected value of each", () => {
  const cases: [Record<string, string>, string][] = [
    [{ PORT: "80a" }, "invalid PORT: expected a port from 0 to 65535"],
    [
      { GITHUB_CLIENT_SECRET: "s" },
      "invalid GITHUB_CLIENT_ID: expected a value with GITHUB_CLIENT_SECRET",
    ],
    [{ PORT: "65536" }, "invalid PORT: expected a port"],
    [
      { PUBLIC_URL: "firn.test" },
      "invalid PUBLIC_URL: expected an http or https URL",
    ],
    [{ METRICS_API_URL: "ftp://x" }, "METRICS_API_URL"],
    [
      { C_CHAIN_RPC_URL: "http://a.test,b.test" },
      "expected one or more http or https URLs, separated by commas",
    ],
    [{ CHAIN_ID: "0xa86a" }, "invalid CHAIN_ID: expected a chain id"],
    [
      { TREASURY_ADDRESS: "firn.eth" },
      "invalid TREASURY_ADDRESS: expected 0x and 40 hexadecimal digits",
    ],
    [
      { FIRN_NOW: "yesterday" },
      "invalid FIRN_NOW: expected an instant as ISO 8601",
    ],
    [
      { OTEL_DENO: "true" },
      "invalid OTEL_DENO_TRACING: expected false with OTEL_DENO=true",
    ],
    [
      { OTEL_DENO: "true", OTEL_DENO_TRACING: "true" },
      "invalid OTEL_DENO_TRACING: expected false with OTEL_DENO=true",
    ],
    [{ OTEL_DENO: "TRUE" }, "expected false with OTEL_DENO=true"],
    [
      { OTEL_DENO: "true", OTEL_DENO_TRACING: "no" },
      "invalid OTEL_DENO_TRACING: expected false with OTEL_DENO=true",
    ],
    [
      { OTEL_DENO_TRACING: "true" },
      "invalid OTEL_DENO_TRACING: expected false with OTEL_DENO=true",
    ],
    [
      {
        FIRN_NOW: "2026-11-21T08:00:00Z",
        DENO_DEPLOY: "1",
        PUBLIC_URL: "https://firn.example",
      },
      "expected no value on Deno Deploy",
    ],
  ];
  for (const [environment, message] of cases) {
    const error = assertThrows(() => readConfig(environment), Error, message);
    assertMatch(error.message, /^Cannot start: invalid [^\n]+$/);
  }
  const error = assertThrows(
    () => readConfig({ PORT: "x", PUBLIC_URL: "y" }),
    Error,
  );
  assertStringIncludes(error.message, "invalid PORT: ");
  assertStringIncludes(error.message, "invalid PUBLIC_URL: ");
});

/** Settings that take addresses by chain id. */
const OF_CHAINS: readonly string[] = ["METRICS_API_URLS", "CHAIN_RPC_URLS"];

/** Settings that take the address of a server: the others refuse it. */
const ADDRESSES: readonly string[] = SETTING_NAMES.filter((name) =>
  /_URLS?$/.test(name) && !OF_CHAINS.includes(name) || name === "KV_PATH" ||
  name === "SECURITY_CONTACT"
);

Deno.test("readConfig() refuses an address without http:// or https://, one with a password, and a base of paths with a query", () => {
  const expected = {
    KV_PATH: "a file path, :memory:, or an https KV Connect URL",
    SECURITY_CONTACT: "an https or mailto URL",
  } as Record<string, string>;
  const list = "one or more http or https URLs, separated by commas";
  const given = [
    "localhost:8701",
    "127.0.0.1:8701",
    "kv.example:443/connect",
    "ftp://firn.example",
    "http:firn.example",
    "https://:word@firn.example",
  ];
  const refuses = (name: string, value: string, words: string) => {
    const { message } = assertThrows(
      () => readConfig({ [name]: value }),
      StartError,
      `invalid ${name}: expected `,
      `${name}=${value}`,
    );
    assertStringIncludes(message, words, `${name}=${value}`);
  };
  for (const name of ADDRESSES) {
    readConfig({ [name]: "https://firn.example" });
    if (name === "SECURITY_CONTACT") {
      refuses(name, "localhost:8701", expected[name]!);
      continue;
    }
    for (const value of given) {
      const words = expected[name] ?? (
        ["C_CHAIN_RPC_URL", "KV_ENDPOINT_URLS"].includes(name)
          ? list
          : value.includes("@")
          ? "a URL without credentials"
          : "an http or https URL"
      );
      refuses(name, value, words);
    }
  }
  const index = '[{"url":"localhost:8701"}]';
  refuses("EXPLORER_INDEXES", index, "a JSON list such as");
  for (
    const hosts of [
      "https://firn.example",
      '["https://firn.example"]',
      '{"4337":"http://firn.example"}',
      '{"4337":"firn.example"}',
      '{"4337":"https://firn.example/?key=1"}',
      '{"4337":"https://:word@firn.example"}',
      '{"Beam":"https://firn.example"}',
      '{"0":"https://firn.example"}',
    ]
  ) {
    for (const name of OF_CHAINS) {
      refuses(
        name,
        hosts,
        'a JSON object such as {"4337":"https://…"}: base URLs by chain id, https',
      );
    }
  }
  for (
    const name of [
      "PUBLIC_URL",
      "METRICS_API_URL",
      "EXPLORER_AGGREGATIONS_URL",
      "GITHUB_URL",
      "GITHUB_API_URL",
    ]
  ) {
    for (const end of ["?key=1", "/#top"]) {
      const value = `https://firn.example${end}`;
      refuses(name, value, "a URL without query and fragment");
    }
  }
});

Deno.test("readConfig() takes a file, a folder of Windows and memory as KV_PATH", () => {
  for (const KV_PATH of ["firn.sqlite3", "./a:b", "C:\\firn\\kv", ":memory:"]) {
    assertEquals(readConfig({ KV_PATH }).kvPath, KV_PATH);
  }
});
