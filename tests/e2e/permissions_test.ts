/** The service and its jobs run with the permissions that deno.json lists. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { JOB_NAMES } from "../../services/platform/jobs/job_schedules_schema.ts";
import { VENDOR } from "../../routes/platform/vendor.ts";
import { GUIDE_SLUGS } from "../../routes/docs/guides.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import {
  permissionFlags,
  type SetName,
} from "../../simnet/permission_flags.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { SIGNING } from "../support/attestations.ts";
import { testDeps } from "../support/deps.ts";
import {
  freePort,
  type Running,
  startOperator,
  startProgram,
  startService,
  untilAnswers,
} from "../support/processes/service.ts";
import { listDocumented } from "../support/walk/walk_all.ts";

/** How Deno reports a missing permission. */
const REFUSAL = /NotCapable|Requires [^\n]* access/;

const WALLET = `0x${"aa".repeat(20)}`;

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
  ...Object.keys(VENDOR).map((name) => `/static/vendor/${name}`),
  ...GUIDE_SLUGS.map((slug) => `/docs/${slug}.md`),
];

/** Waits for a program's end; returns its status and all that it has written. */
async function finish(running: Running) {
  const { code } = await running.process.status;
  await running[Symbol.asyncDispose]();
  return { code, output: running.output() };
}

/** Starts the embedded upstreams and creates a database folder; returns the settings for both. */
async function openWorld() {
  await using stack = new AsyncDisposableStack();
  const simnet = stack.use(startSimnet());
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const settings = {
    KV_PATH: `${folder}/kv.sqlite3`,
    TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
    ...SIGNING,
    ...settingsOf(simnet),
  };
  const held = stack.move();
  return {
    settings,
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  };
}

Deno.test("the service answers every surface without a missing permission", async (t) => {
  await using world = await openWorld();
  const { settings } = world;
  const operate = async (...args: string[]) => {
    const { code, output } = await finish(startOperator(settings, ...args));
    assertEquals(code, 0, output);
    return output.trimEnd().split("\n").at(-1)!;
  };
  await operate("plan", "grant", WALLET, "growth");
  const key = await operate("key", "create", WALLET);
  await using service = await startService(settings);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(service.url + path, init);
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
      "Origin": `http://localhost:${new URL(service.url).port}`,
      "Content-Type": "application/json",
    };
    const body = JSON.stringify({ address: WALLET, action: "session" });
    const challenge = { method: "POST", headers, body };
    assertEquals(await ask("/api/account/challenges", challenge), 200);
  });

  assert(!REFUSAL.test(service.output()), service.output());
});

/** Runs a program of `tests/support` with a permission set of `deno.json`; returns the JSON that it prints. */
async function runWithSet(
  set: SetName,
  program: string,
  ...args: string[]
): Promise<unknown> {
  const { code, output } = await finish(startProgram([
    "run",
    "--quiet",
    "--lock=tests/deno.lock",
    "--no-prompt",
    `-P=${set}`,
    `tests/support/${program}`,
    ...args,
  ]));
  assertEquals(code, 0, output);
  return JSON.parse(output);
}

Deno.test("every documented answer works with the service's permissions", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request("/openapi.json");
  const documented = listDocumented(await response.json());
  assertEquals(await runWithSet("service", "walk/walk_worker.ts"), documented);
});

Deno.test("every job runs with the permissions of jobs", async () => {
  const expected = JOB_NAMES.map((job) => ({ job, error: null }));
  assertEquals(await runWithSet("job", "processes/jobs_worker.ts"), expected);
});

Deno.test("jobs reach upstreams with the permissions of jobs", async () => {
  await using world = await openWorld();
  for (const name of ["refresh-chains", "snapshot-validators"]) {
    const running = startOperator(world.settings, "job", name);
    const { code, output } = await finish(running);
    assertEquals(code, 0, output);
    assert(!REFUSAL.test(output), output);
  }
});

Deno.test("code in the service process cannot exceed the permissions of the service", async () => {
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  const outcomes = await runWithSet("service", "processes/intruder.ts", folder);
  assertEquals(
    new Set(Object.values(outcomes as object)),
    new Set(["refused"]),
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a setting without its permission stops the start and is named", async (t) => {
  const task = ["run", "--no-prompt", "-P=service", "main.ts"];
  const cases: [
    name: string,
    args: string[],
    settings: Record<string, string>,
    said: RegExp[],
  ][] = [
    ["hosts", task, {
      C_CHAIN_RPC_URL: "https://api.avax.network/rpc,https://rpc.test:8443/",
      METRICS_API_URL: "http://metrics.avax.network",
    }, [
      /"net": "metrics\.avax\.network:80" \(METRICS_API_URL\), "rpc\.test:8443" \(C_CHAIN_RPC_URL\)\n/,
    ]],
    ["a port", task, { PORT: "8001" }, [/"net": "0\.0\.0\.0:8001" \(PORT\)\n/]],
    ["a database file", task, { KV_PATH: "/data/kv" }, [
      /"read": "\/data\/kv" \(KV_PATH\)\n/,
      /"write": "\/data\/kv" \(KV_PATH\)\n/,
    ]],
    ["a database server", task, { KV_PATH: "https://kv.test/x" }, [
      /"net": "kv\.test:443" \(KV_PATH\)\n/,
    ]],
    ["GitHub elsewhere", task, {
      GITHUB_CLIENT_ID: "id",
      GITHUB_CLIENT_SECRET: "secret",
      GITHUB_URL: "https://git.test",
    }, [/"net": "git\.test:443" \(GITHUB_URL\)\n/]],
    [
      "a flag that replaces the list of the set",
      [
        "run",
        "--no-prompt",
        "-P=service",
        "--allow-net=rpc.test",
        "main.ts",
      ],
      {},
      [/"metrics\.avax\.network:443" \(METRICS_API_URL\)/],
    ],
    ["no set at all", ["run", "--no-prompt", "main.ts"], {}, [
      /"env": "PORT", "PUBLIC_URL", /,
    ]],
    ["the task itself", ["task", "start"], { PORT: "8001" }, [
      /"0\.0\.0\.0:8001"/,
    ]],
    [
      "a job",
      ["task", "job", "refresh-chains"],
      { METRICS_API_URL: "https://metrics.test" },
      [/"net": "metrics\.test:443" \(METRICS_API_URL\)\n/],
    ],
    ["an operator", ["task", "operator", "forget-series", "1", "txCount"], {
      KV_PATH: "/data/kv",
    }, [/"write": "\/data\/kv" \(KV_PATH\)\n/]],
  ];
  for (const [name, args, settings, said] of cases) {
    await t.step(name, async () => {
      const { code, output } = await finish(
        startProgram(args, { KV_PATH: ":memory:", ...settings }),
      );
      assertEquals(code, 1, output);
      assertMatch(output, /Cannot start: missing permissions\n/);
      for (const pattern of said) assertMatch(output, pattern);
      assertMatch(output, /"permissions" in deno\.json/);
    });
  }
});

Deno.test("an operator file outside the permitted folders is refused in one line", async () => {
  // An absolute path: the set permits folders above some locations of the project.
  const file = "/nowhere/firn.ndjson";
  const settings = { KV_PATH: ":memory:" };
  const { code, output } = await finish(
    startOperator(settings, "export", file),
  );
  assertEquals(code, 1);
  assertMatch(
    output,
    /^Cannot run export: Requires write access to "\/nowhere/m,
  );
  assert(!/^\s+at /m.test(output), output);
});

Deno.test("a missing folder permission appears in the output of the service", async () => {
  const port = freePort();
  await using world = await openWorld();
  const settings = { PORT: String(port), ...world.settings };
  const flags = permissionFlags("service", settings)
    .map((flag) => flag.replace(",./static", ""));
  await using service = startProgram(["run", ...flags, "main.ts"], settings);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/api/chain-data`, service);
  const response = await fetch(url);
  await response.body?.cancel();
  assertEquals(response.status, 500);
  assertMatch(service.output(), REFUSAL);
});
