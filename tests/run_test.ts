/** What watches the tests: the time limit, the seed of properties, and the verdict of CI. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { RUNS_ALL } from "./support/fewer_rounds.ts";
import { fc } from "./support/properties.ts";

const ROOT = new URL("../", import.meta.url);

async function run(command: string, args: string[], env = {}) {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    env: { NO_COLOR: "1", ...env },
    cwd: ROOT,
  }).output();
  const text = [stdout, stderr].map((part) => new TextDecoder().decode(part));
  return { success, text: text.join("") };
}

/** Writes a test into the tests' folder, runs it with the runner's flags, and returns what is printed. */
async function runTest(source: string, env: Record<string, string>) {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/made_test.ts`;
    await Deno.writeTextFile(path, source);
    return await run(Deno.execPath(), ["task", "test", path], env);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("deno task test fails a test that loops or waits for ever, and runs the others", async () => {
  const { success, text } = await runTest(
    `Deno.test("loops", () => { while (true); });
     Deno.test({ name: "waits", fn: () => new Promise(() => { setInterval(() => {}, 1000); }) });
     Deno.test("ends", () => {});`,
    { FIRN_TEST_LIMIT_MS: "500" },
  );
  assertEquals(success, false);
  assertMatch(text, /loops \.\.\. FAILED/);
  assertMatch(text, /waits \.\.\. FAILED/);
  assertMatch(text, /ends \.\.\. ok/);
  assertStringIncludes(text, "Test timed out after 500ms");
});

Deno.test("a property that fails prints its seed, and FIRN_TEST_SEED replays it", async () => {
  const properties = new URL("support/properties.ts", import.meta.url).href;
  const { success, text } = await runTest(
    `import { fc } from "${properties}";
     Deno.test("fails", () => fc.assert(fc.property(fc.nat(), (n) => n < 1_000)));`,
    { FIRN_TEST_SEED: "4321" },
  );
  assertEquals(success, false);
  assertStringIncludes(text, "{ seed: 4321");
});

Deno.test("all properties use one seed: no test imports fast-check itself", async () => {
  assertEquals(typeof fc.readConfigureGlobal().seed, "number");
  const pattern = 'from "fast-[c]heck"';
  const options = ["-rl", "--include=*.ts"];
  const { text } = await run("grep", [...options, pattern, "tests"]);
  assertEquals(text.trim(), "tests/support/fewer_rounds.ts");
});

Deno.test("a property runs a quarter of its rounds and at least ten, and in test:long all of them", () => {
  const roundsOf = (numRuns: number) => {
    let rounds = 0;
    fc.assert(fc.property(fc.nat(), () => void rounds++), { numRuns });
    return rounds;
  };
  const given = [400, 20, 5];
  assertEquals(given.map(roundsOf), RUNS_ALL ? given : [100, 10, 5]);
});

/** Returns what `.ci/verdict` says about a log that ends with a summary. */
async function judge(summary: string) {
  const log = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(log, `a ... ok (1ms)\n\n${summary}\n`);
    const { success, text } = await run("bash", [".ci/verdict", log, "100"]);
    return { success, lines: text.trim().split("\n") };
  } finally {
    await Deno.remove(log);
  }
}

Deno.test(".ci/verdict fails if tests failed, were skipped, or are missing", async () => {
  assertEquals(await judge("ok | 100 passed (3 steps) | 0 failed (1s)"), {
    success: true,
    lines: ["100 passed, 0 failed"],
  });
  assertEquals(await judge("FAILED | 99 passed | 1 failed (1s)"), {
    success: false,
    lines: ["99 tests passed: expected at least 100", "99 passed, 1 failed"],
  });
  assertEquals(await judge("FAILED | 100 passed | 1 failed (1s)"), {
    success: false,
    lines: ["100 passed, 1 failed"],
  });
  assertEquals(await judge("ok | 100 passed | 0 failed | 2 ignored (1s)"), {
    success: false,
    lines: [
      "2 tests were skipped: nothing may be skipped here",
      "100 passed, 0 failed",
    ],
  });
  assertEquals(await judge("error: Type checking failed"), {
    success: false,
    lines: ["0 tests passed: expected at least 100", "0 passed, 0 failed"],
  });
});

Deno.test("a tool that is missing fails CI in place of skipping its tests", async () => {
  const tool = new URL("support/tool.ts", import.meta.url).href;
  const code =
    `import { isSkipped } from "${tool}"; console.log(isSkipped("x", false));`;
  const evaluate = (...env: string[]) =>
    run("env", [...env, Deno.execPath(), "eval", "--quiet", code]);
  assertMatch((await evaluate("CI=1")).text, /^false/);
  assertMatch((await evaluate("-u", "CI")).text, /^true\ntests that need x/);
});
