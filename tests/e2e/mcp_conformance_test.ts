/** The official conformance suite of MCP against `/mcp`, in both revisions. */
import { assert, assertEquals } from "@std/assert";
import { testDeps } from "../support/deps.ts";
import { serve } from "../support/loopback.ts";

const ROOT = new URL("../../", import.meta.url);

/** The suite has no module to import, so its specifier is run as a program. */
const SUITE = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)))
  .scopes["./tests/"]["@modelcontextprotocol/conformance"];

/** Scenarios about what the server offers: every check of them must pass. */
const APPLY = {
  "2025-11-25": [
    "dns-rebinding-protection",
    "ping",
    "resources-list",
    "server-initialize",
    "tools-list",
  ],
  "2026-07-28": [
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "resources-list",
    "sep-2164-resource-not-found",
    "tools-list",
  ],
} as const;

/**
 * Failures for lack of what the scenario needs: tools and resources of a test
 * server, prompts, completion, logging, subscriptions, and questions to the client.
 * Nothing else may fail.
 */
const LACKS =
  /Not testable|Unknown tool "test_|Tool '\w+' not found|Resource not found: test:|Method not found|Expected InputRequiredResult|Prerequisite failed/;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs all scenarios of a revision; returns the checks of each. */
async function runSuite(url: string, revision: string) {
  const folder = await Deno.makeTempDir({ prefix: "firn_mcp_" });
  try {
    await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--allow-all",
        `--config=${new URL("deno.json", ROOT).pathname}`,
        `--lock=${new URL("tests/deno.lock", ROOT).pathname}`,
        SUITE,
        "server",
        "--url",
        `${url}/mcp`,
        "--suite",
        "all",
        "--spec-version",
        revision,
        "--output-dir",
        folder,
      ],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const scenarios = new Map<string, Check[]>();
    for await (const { name } of Deno.readDir(folder)) {
      const [, scenario] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)!;
      const text = await Deno.readTextFile(`${folder}/${name}/checks.json`);
      scenarios.set(scenario!, JSON.parse(text));
    }
    return scenarios;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const [revision, names] of Object.entries(APPLY)) {
  Deno.test(`/mcp passes every scenario of the conformance suite for ${revision} that applies`, async () => {
    using deps = await testDeps();
    await using server = serve(deps);
    const scenarios = await runSuite(server.url, revision);
    for (const name of names) {
      const checks = scenarios.get(name) ?? [];
      assert(checks.some(({ status }) => status === "SUCCESS"), name);
      assertEquals(checks.filter(({ status }) => status === "FAILURE"), []);
    }
    const failures = [...scenarios].flatMap(([scenario, checks]) =>
      checks.filter(({ status }) => status === "FAILURE")
        .map(({ id, errorMessage = "" }) =>
          `${scenario}, ${id}: ${errorMessage}`
        )
    );
    assertEquals(failures.filter((failure) => !LACKS.test(failure)), []);
  });
}
