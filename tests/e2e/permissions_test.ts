/** The programs run with the permissions that their settings need, and with no others. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { JOBS } from "../../jobs/register_jobs.ts";
import { VENDOR } from "../../services/platform/package_files.ts";
import { GUIDE_SLUGS } from "../../routes/docs/guides.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { listSettings } from "../../services/settings.ts";
import { FORMAT } from "../../services/platform/kv/store_format.ts";
import { startFlags } from "../../services/operator/start_flags.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { SIGNER, SIGNING } from "../support/attestations.ts";
import { startCollector } from "../support/telemetry/collector.ts";
import { testDeps } from "../support/deps.ts";
import {
  freePort,
  startOperator,
  startProgram,
  untilAnswers,
} from "../support/processes/service.ts";
import { permissionsOf } from "../support/program_permissions.ts";

/** How Deno reports a missing permission. */
const REFUSAL = /NotCapable|Requires [^\n]* access/;

const WALLET = `0x${"aa".repeat(20)}`;

/** Telemetry is exported when a process ends: one that ends during an export can hang in the runtime. */
const LATE_EXPORT = {
  OTEL_BSP_SCHEDULE_DELAY: "600000",
  OTEL_BLRP_SCHEDULE_DELAY: "600000",
  OTEL_METRIC_EXPORT_INTERVAL: "600000",
};

/** A path of every public surface. */
const OPEN_PATHS = [
  "/",
  "/dashboard",
  "/status",
  "/status.json",
  "/docs",
  "/llms.txt",
  "/openapi.json",
  "/tools/verify-attestation",
  `/tools/score/${exampleOf("heavy")}`,
  `/api/tools/score-badge/${exampleOf("heavy")}`,
  "/.well-known/score-attestation.json",
  "/api/v1",
  "/api/v1/health",
  "/api/chain-data",
  "/api/chain-data/chains",
  "/api/chain-data/metrics?format=csv",
  "/api/chain-data/monthly-transactions",
  "/api/chain-data/validators",
  "/api/chain-data/quality",
  "/api/chain-data/disputes?format=atom",
  "/chart/txCount.svg",
  "/chart/txCount.png",
  ...Object.keys(VENDOR).map((name) => `/static/vendor/${name}`),
  ...GUIDE_SLUGS.map((slug) => `/docs/${slug}.md`),
];

/** Creates a folder that is deleted on disposal. */
async function makeFolder() {
  const path = await Deno.makeTempDir({ prefix: "firn_test_" });
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("deno task start serves every surface with every setting at another value than its default", async (t) => {
  await using folder = await makeFolder();
  await using simnet = startSimnet();
  await using collector = startCollector();
  const port = freePort();
  const nodes = settingsOf(simnet);
  const settings: Record<string, string> = {
    ...collector.settings,
    ...LATE_EXPORT,
    ...SIGNING,
    ...nodes,
    PORT: String(port),
    PUBLIC_URL: "https://firn.test/",
    KV_PATH: `${folder.path}/firn.sqlite3`,
    KV_ENDPOINT_URLS: "https://kv.test/",
    METRICS_API_URLS: `{"8021":"https://metrics.test"}`,
    CHAIN_RPC_URLS: `{"8021":"https://node.test"}`,
    EXPLORER_AGGREGATIONS_URL: `${nodes.EXPLORER_API_URL}/`,
    EXPLORER_API_KEY: "a-key",
    EXPLORER_INDEXES: `[{"url":"${nodes.EXPLORER_API_URL}","key":"another"}]`,
    SQD_PORTAL_URL: simnet.urls.portal,
    ...Object.fromEntries(
      ["METRICS", "EXPLORER", "SQD_PORTAL", "C_CHAIN", "P_CHAIN"].flatMap((
        source,
      ) =>
        ["SECOND", "MINUTE", "DAY"].map((period) => [
          `${source}_CALLS_PER_${period}`,
          "9000",
        ])
      ),
    ),
    C_CHAIN_RPC_URL: `${nodes.C_CHAIN_RPC_URL},${nodes.C_CHAIN_RPC_URL}/`,
    CHAIN_ID: "43113",
    AVAX_NAMES: "avvy",
    USDC_ADDRESS: `0x${"5c".repeat(20)}`,
    TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
    ATTESTATION_SIGNERS: `0x${"4e".repeat(20)}:retiring`,
    METRIC_FILES_DAYS: "7",
    MANIFEST_PRIVATE_KEY:
      "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN",
    MANIFEST_FORMER_KEYS: "x".repeat(43),
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
    GITHUB_URL: "http://127.0.0.1:1",
    GITHUB_API_URL: "http://127.0.0.1:2/api",
    FAIR_USE_PER_MINUTE: "5000",
    TRUSTED_PROXY_HOPS: "1",
    TRUSTED_PROXIES: "127.0.0.0/8",
    LISTEN_ADDRESS: "127.0.0.1",
    SECURITY_CONTACT: "https://firn.test/report",
    WORLD_CHAIN_RPC_URL: "http://127.0.0.1:1/world",
    BASE_RPC_URL: "http://127.0.0.1:1/base",
    OPTIMISM_RPC_URL: "http://127.0.0.1:1/optimism",
    FIRN_NOW: new Date().toISOString(),
  };
  const unchanged = listSettings().filter(({ name, fallback }) =>
    [undefined, fallback.replaceAll("`", "")].includes(settings[name])
  );
  assertEquals(unchanged.map(({ name }) => name), []);
  // An operator's command ends before it has exported anything.
  const quiet = { ...settings, OTEL_DENO: "false" };
  const operator = startOperator(quiet, "plan", "grant", WALLET, "growth");
  assertEquals((await operator.finish()).code, 0, operator.output());
  const created = startOperator(quiet, "key", "create", WALLET);
  const key = (await created.finish()).output.trimEnd().split("\n").at(-1)!;
  await using service = startProgram(["task", "start"], settings);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/api/v1/health`, service);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    await response.body?.cancel();
    return response.status;
  };

  await t.step("public paths", async () => {
    for (const path of OPEN_PATHS) assertEquals(await ask(path), 200, path);
  });

  await t.step("with an API key", async () => {
    const headers = { "X-Api-Key": key, "Content-Type": "application/json" };
    const score = `/api/v1/score/${exampleOf("ordinary")}`;
    for (const path of [score, `${score}/history`, `${score}/signed`]) {
      assertEquals(await ask(path, { headers }), 200, path);
    }
    const body = JSON.stringify({ addresses: [exampleOf("heavy")] });
    const batch = { method: "POST", headers, body };
    assertEquals(await ask("/api/v1/score/batch", batch), 200);
    assertEquals(await ask("/api/v1/usage", { headers }), 200);
  });

  await t.step("sign-in", async () => {
    const headers = {
      "Origin": "https://firn.test",
      "Content-Type": "application/json",
    };
    const body = JSON.stringify({ address: WALLET, action: "session" });
    const challenge = { method: "POST", headers, body };
    assertEquals(await ask("/api/account/challenges", challenge), 200);
  });

  await t.step("a stop ends the service and leaves no process", async () => {
    service.process.kill("SIGTERM");
    const { code, output } = await service.finish();
    assertEquals(code, 0, output);
    assert(!REFUSAL.test(output), output);
    assert(!output.includes("service.unpermitted"), output);
    Deno.listen({ hostname: "127.0.0.1", port }).close();
  });
});

Deno.test("deno task --env-file reads the settings from a file", async () => {
  await using folder = await makeFolder();
  const port = freePort();
  const file = `${folder.path}/.env`;
  await Deno.writeTextFile(file, `PORT=${port}\nKV_PATH=:memory:\n`);
  const task = ["task", `--env-file=${file}`, "start"];
  await using service = startProgram(task);
  await untilAnswers(`http://127.0.0.1:${port}/api/v1/health`, service);
  service.process.kill("SIGTERM");
  assertEquals((await service.finish()).code, 0);
});

Deno.test("deno task operator permits the file that its command names, also with a space", async () => {
  await using folder = await makeFolder();
  await using temp = await makeFolder();
  const KV_PATH = `${folder.path}/a database.sqlite3`;
  const file = `${folder.path}/a backup.ndjson`;
  (await Deno.openKv(KV_PATH)).close();
  const task = ["task", "operator", "export", file];
  await using running = startProgram(task, { KV_PATH, TMPDIR: temp.path });
  const { code, output } = await running.finish();
  assertEquals(code, 0, output);
  assert((await Deno.stat(file)).isFile);
});

Deno.test("a store of a newer version stops the start and stays as it is", async () => {
  await using folder = await makeFolder();
  const KV_PATH = `${folder.path}/firn.sqlite3`;
  const newer = { format: 999, cursor: null };
  {
    using kv = await Deno.openKv(KV_PATH);
    await kv.set(["format"], newer);
  }
  const start = ["task", "-q", "start"];
  await using program = startProgram(start, { KV_PATH, PORT: "0" });
  const { code, output } = await program.finish();
  assertEquals(code, 1, output);
  assertEquals(
    JSON.parse(output).error,
    `Cannot start: the store has format 999: expected at most ${FORMAT}; run the version that wrote it, or a newer one`,
  );
  using kv = await Deno.openKv(KV_PATH);
  assertEquals((await kv.get(["format"])).value, newer);
});

Deno.test("a start that cannot succeed is one line, of the log or for the operator, without a stack or a value", async (t) => {
  const start = ["task", "-q", "start"];
  const cases: [
    name: string,
    args: string[],
    settings: Record<string, string>,
    said: RegExp,
  ][] = [
    [
      "invalid settings",
      start,
      {
        PORT: "eighty",
        TREASURY_ADDRESS: "firn.eth",
      },
      /invalid PORT: expected a port from 0 to 65535; invalid TREASURY_ADDRESS/,
    ],
    [
      "a folder that does not exist",
      start,
      { KV_PATH: "/no/such/folder/kv", PORT: "0" },
      /cannot open the database of KV_PATH: its folder does not exist/,
    ],
    [
      "a path with a space",
      start,
      { KV_PATH: "./a kv" },
      /use another for KV_PATH/,
    ],
    [
      "no permissions",
      ["run", "--no-prompt", "main.ts"],
      {},
      /missing permissions: env for the settings; start with deno task/,
    ],
    [
      "a folder that is not permitted",
      [
        "run",
        ...startFlags("service", {}).map((flag) =>
          flag.replace(",./static", "")
        ),
        "main.ts",
      ],
      {},
      /missing permissions: read for the pages;/,
    ],
    ["an operator's command", ["task", "-q", "operator", "check-store"], {
      CHAIN_ID: "0xa86a",
    }, /invalid CHAIN_ID: expected a chain id/],
    ["a signer that is a former signer", start, {
      ...SIGNING,
      KV_PATH: ":memory:",
      ATTESTATION_SIGNERS: `${SIGNER}:revoked`,
    }, /ATTESTATION_SIGNERS lists the signer/],
  ];
  for (const [name, args, settings, said] of cases) {
    await t.step(name, async () => {
      await using program = startProgram(args, settings);
      const { code, output } = await program.finish();
      assertEquals(code, 1, output);
      // The service logs lines of JSON; an operator reads the terminal.
      const isLogged = !args.includes("operator");
      const message = isLogged ? JSON.parse(output).error : output.trim();
      assertMatch(message, /^Cannot start: [^\n]+$/);
      assertMatch(message, said);
      for (const value of Object.values(settings)) {
        assert(value.length < 4 || !output.includes(value), output);
      }
    });
  }
});

Deno.test({
  name: "every job runs with the permissions of jobs",
  permissions: permissionsOf("job"),
  async fn() {
    using deps = await testDeps({ chains: 3 });
    for (const job of JOBS) {
      assertEquals((await runJob(deps, job)).error, null, job.name);
    }
  },
});

Deno.test("code in the service process cannot exceed the permissions of the service", async () => {
  await using folder = await makeFolder();
  await using running = startProgram([
    "run",
    "--quiet",
    ...startFlags("service", { KV_PATH: "./firn.sqlite3" }),
    "tests/support/processes/intruder.ts",
    folder.path,
  ]);
  const { code, output } = await running.finish();
  assertEquals(code, 0, output);
  const outcomes = Object.values(JSON.parse(output));
  assertEquals(new Set(outcomes), new Set(["refused"]));
});
