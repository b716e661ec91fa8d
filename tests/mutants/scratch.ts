/** A scratch copy of the tree, in which mutants are tested. */

export const ROOT = new URL("../../", import.meta.url);

/** Limits of a test and of a stage. A mutant that loops is killed by the first. */
const TEST_LIMIT_MS = 5 * 60_000;
const STAGE_LIMIT_MS = 30 * 60_000;

export type Outcome = "killed" | "timed out" | "survived";

interface Scratch extends AsyncDisposable {
  /** Paths of all files of tests, relative to `tests/`. */
  readonly tests: readonly string[];
  /** Runs the stages with `text` in place of the file, until one fails. */
  test(path: string, text: string, stages: string[][]): Promise<Outcome>;
  /** Runs tests without a mutation, and throws if one fails. */
  requirePassing(tests: readonly string[]): Promise<void>;
}

async function listFiles(): Promise<string[]> {
  const { stdout, success } = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error("git ls-files failed: run it in a clone");
  return new TextDecoder().decode(stdout).split("\0").filter(Boolean);
}

async function copyTree(into: string): Promise<string[]> {
  const files = await listFiles();
  for (const file of files) {
    const to = `${into}/${file}`;
    await Deno.mkdir(to.slice(0, to.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(new URL(file, ROOT), to).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
  return files;
}

/** Returns a scratch copy. Disposing of it deletes it. */
export async function makeScratch(): Promise<Scratch> {
  const folder = await Deno.makeTempDir({ prefix: "firn_mutants_" });
  const files = await copyTree(folder);
  /** Runs files of tests in one isolate. */
  async function run(tests: readonly string[]): Promise<Outcome> {
    const group = `${folder}/tests/mutant_isolate_test.ts`;
    await Deno.writeTextFile(
      group,
      tests.map((test) => `import "./${test}";\n`).join(""),
    );
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "--no-check", "--quiet", "--fail-fast"],
        ...["--preload=tests/time_limit.ts"],
        ...["--lock=tests/deno.lock", "--no-prompt", "-P=test", group],
      ],
      cwd: folder,
      env: { FIRN_TEST_LIMIT_MS: String(TEST_LIMIT_MS) },
      stdout: "null",
      stderr: "null",
    }).spawn();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, STAGE_LIMIT_MS);
    const { success } = await child.status;
    clearTimeout(timer);
    return isLate ? "timed out" : success ? "survived" : "killed";
  }

  return {
    tests: files
      .filter((file) => /^tests\/.*_test\.ts$/.test(file))
      .map((file) => file.slice("tests/".length)),
    async test(path, text, stages) {
      const place = `${folder}/${path}`;
      const original = await Deno.readTextFile(place);
      await Deno.writeTextFile(place, text);
      try {
        for (const stage of stages) {
          const outcome = await run(stage);
          if (outcome !== "survived") return outcome;
        }
        return "survived";
      } finally {
        await Deno.writeTextFile(place, original);
      }
    },
    async requirePassing(tests) {
      if (await run(tests) !== "survived") {
        throw new Error(`Tests fail without a mutation: ${tests.join(", ")}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(folder, { recursive: true });
    },
  };
}
