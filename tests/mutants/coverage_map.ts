/**
 * Which lines of the source each file of tests executes. Each file is measured
 * once for each version of its text, and the result is kept outside the tree.
 */
import { ROOT } from "./scratch.ts";

/** From first to last line, both included. */
type Lines = readonly [first: number, last: number];

interface Executed {
  /** Digest of the source that was measured. */
  readonly source: string;
  readonly lines: readonly Lines[];
}

export interface TestCoverage {
  /** Path of the file of tests, relative to `tests/`. */
  readonly test: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly executed: Readonly<Record<string, Executed>>;
}

/** Tests of these folders start processes, whose lines are not measured. */
const NOT_MEASURED = ["e2e/", "kv_connect/", "contracts/", "mutants/"];

/** Measured first: they are the fastest, and notice the most. */
const FIRST = ["services/", "routes/", "jobs/"];

/** Files that are measured at a time. */
const PROCESSES = 2;
const LIMIT_MS = 180_000;

function rankOf(test: string): number {
  const rank = FIRST.findIndex((folder) => test.startsWith(folder));
  return rank === -1 ? FIRST.length : rank;
}

/** Returns a short digest of a text. */
export async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex().slice(0, 16);
}

/**
 * Returns the executed lines of each source of an lcov report. Lines without
 * code, such as comments, belong to the line before them.
 */
export function readLcov(report: string): Map<string, Lines[]> {
  const found = new Map<string, Lines[]>();
  for (const record of report.split("end_of_record")) {
    const source = record.match(/^SF:(.*)$/m)?.[1];
    if (source === undefined) continue;
    const lines: [number, number][] = [];
    let isExecuted = false;
    for (const [, line, count] of record.matchAll(/^DA:(\d+),(\d+)$/gm)) {
      const last = lines.at(-1);
      if (count === "0") {
        if (isExecuted && last) last[1] = Number(line) - 1;
        isExecuted = false;
      } else {
        if (!isExecuted) lines.push([Number(line), Number(line)]);
        else if (last) last[1] = Number(line);
        isExecuted = true;
      }
    }
    const last = lines.at(-1);
    if (isExecuted && last) last[1] = Number.MAX_SAFE_INTEGER;
    found.set(source, lines);
  }
  return found;
}

async function runDeno(args: readonly string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const { success, stdout } = await child.output();
  clearTimeout(timer);
  return { success, text: new TextDecoder().decode(stdout) };
}

async function measure(test: string): Promise<TestCoverage> {
  const folder = await Deno.makeTempDir({ prefix: "firn_coverage_" });
  try {
    const startedAt = performance.now();
    const { success } = await runDeno([
      ...["test", "--no-check", "--quiet", "--no-prompt", "-P=test"],
      ...["--lock=tests/deno.lock", "--coverage-raw-data-only"],
      ...[`--coverage=${folder}`, `tests/${test}`],
    ]);
    const milliseconds = Math.round(performance.now() - startedAt);
    const { text } = await runDeno([
      ...["coverage", "--quiet", "--lcov"],
      ...[`--include=^${ROOT.href}(services|routes|jobs)/`, folder],
    ]);
    const executed: Record<string, Executed> = {};
    for (const [path, lines] of readLcov(text)) {
      const source = await digestOf(await Deno.readTextFile(path));
      executed[path.slice(ROOT.pathname.length)] = { source, lines };
    }
    return { test, passed: success, milliseconds, executed };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Returns the coverage of the tests that run in one process. Measures those
 * whose text has no file in `folder`; `onMeasured` is told of each.
 */
export async function readCoverage(
  folder: string,
  tests: readonly string[],
  onMeasured: (coverage: TestCoverage, left: number) => void,
): Promise<TestCoverage[]> {
  await Deno.mkdir(folder, { recursive: true });
  const found: TestCoverage[] = [];
  const missing: { test: string; place: string }[] = [];
  for (const test of tests) {
    if (NOT_MEASURED.some((place) => test.startsWith(place))) continue;
    const text = await Deno.readTextFile(new URL(`tests/${test}`, ROOT));
    const place = `${folder}/${await digestOf(`${test}\n${text}`)}.json`;
    try {
      found.push(JSON.parse(await Deno.readTextFile(place)));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      missing.push({ test, place });
    }
  }
  missing.sort((one, other) => rankOf(one.test) - rankOf(other.test));
  await Promise.all(Array.from({ length: PROCESSES }, async () => {
    for (let next = missing.shift(); next; next = missing.shift()) {
      const coverage = await measure(next.test);
      found.push(coverage);
      onMeasured(coverage, missing.length);
      // What failed on a busy machine may pass the next time.
      if (!coverage.passed) continue;
      const partial = `${next.place}.${crypto.randomUUID()}`;
      await Deno.writeTextFile(partial, JSON.stringify(coverage));
      await Deno.rename(partial, next.place);
    }
  }));
  return found;
}
