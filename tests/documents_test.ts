/** The documents at the top of the repository agree with the code. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { dirname, join } from "node:path/posix";
import {
  readDocument,
  TYPES_FILE,
  writeTypes,
} from "../packaging/sdk_types.ts";
import { JOBS } from "../jobs/register_jobs.ts";
import {
  formatUsdc,
  PLAN_NAMES,
  PLANS,
} from "../services/payments/plans_schema.ts";
import { createApp } from "../routes/app.ts";
import { docsTable } from "../routes/docs/guides.ts";
import { testDeps } from "./support/deps.ts";
import { succeed } from "./support/jobs.ts";

const ROOT = new URL("../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const config = JSON.parse(await read("deno.json"));

/** Documents at the top of the repository. */
const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "bench/README.md",
];
const texts = Object.fromEntries(
  await Promise.all(DOCUMENTS.map(async (name) => [name, await read(name)])),
) as Record<string, string>;
const guide = await read("routes/docs/guides/self-hosting.md");

/** Top-level folders and files whose paths the documents name. */
const PATH =
  /`((?:services|routes|jobs|tests|simnet|bench|static|contracts|links|sdk|packaging)\/[\w./-]*|(?:main|operator)\.ts)`/g;

function assertNames(text: string, names: readonly string[]): void {
  assertEquals(names.filter((name) => !text.includes(name)), []);
}

Deno.test("README.md has at most 200 lines", () => {
  assert(texts["README.md"]!.trimEnd().split("\n").length <= 200);
});

Deno.test("the README's first screen has both products, the proof, the prices of the plans, and what to use instead", () => {
  const [screen] = texts["README.md"]!.split("\n## ");
  assert(screen!.split("\n").length <= 32);
  const words = screen!.replace(/\s+/g, " ");
  const largest = PLANS[PLAN_NAMES.at(-1)!];
  const whole = (price: bigint) => formatUsdc(price).replace(/\.00$/, "");
  for (
    const part of [
      "**Chain data**, for analysts and dashboards",
      "**Wallet reputation**, for programs",
      "](routes/docs/guides/checked-series.md)",
      `${PLANS.free.requests.toLocaleString("en")} requests a month are free`,
      `plans cost ${whole(PLANS.builder.price)} to ${
        whole(largest.price)
      } USDC`,
      "several ecosystems (growthepie, DefiLlama)",
      "people verified by documents (Human Passport)",
    ]
  ) assertStringIncludes(words, part);
});

Deno.test("the README's curl returns the README's JSON", async () => {
  const readme = texts["README.md"]!;
  const [, path] = readme.match(/curl 'http:\/\/localhost:8000([^']+)'/)!;
  const [, shown] = readme.match(/```json\n([^`]+)```/)!;
  // The demo has compared its sources before it says that it is ready.
  using deps = await testDeps({ chains: 1 });
  for (const job of ["refresh-chains", "cross-check"]) await succeed(deps, job);
  const response = await createApp(deps).request(path!);
  const ofClock = { fetchedAt: null, confirmedAt: null };
  assertEquals(
    { ...await response.json(), ...ofClock },
    { ...JSON.parse(shown!), ...ofClock },
  );
});

Deno.test("README.md names every chain data endpoint", async () => {
  using deps = await testDeps();
  const about = await createApp(deps).request("/api/chain-data");
  const { endpoints } = await about.json();
  assertNames(
    texts["README.md"]!,
    endpoints.map(({ path }: { path: string }) => `| \`${path}\``),
  );
});

Deno.test("README.md names every scoring endpoint", async () => {
  using deps = await testDeps();
  const about = await createApp(deps).request("/api/v1");
  const { endpoints } = await about.json();
  assertNames(
    texts["README.md"]!,
    endpoints
      .map(({ method, path }: { method: string; path: string }) =>
        `| \`${method} ${path}\``
      )
      .filter((name: string) => name.includes(" /api/v1")),
  );
});

Deno.test("CONTRIBUTING.md names every task", () => {
  assertNames(
    texts["CONTRIBUTING.md"]!,
    Object.keys(config.tasks).map((task) => `| \`deno task ${task}`),
  );
});

Deno.test("ARCHITECTURE.md names every dependency", () => {
  const packages = Object.values<Record<string, string>>(config.scopes)
    .flatMap((scope) => Object.keys(scope));
  const names = [...Object.keys(config.imports), ...packages]
    .filter((name) => !name.endsWith("/") && !name.startsWith("@types/dns"));
  assertNames(
    texts["ARCHITECTURE.md"]!,
    names.map((name) => `\`${name}\``),
  );
});

Deno.test("the self-hosting guide includes the generated tables of jobs and settings", () => {
  assertStringIncludes(guide, "\n{{table:jobs}}\n");
  assertStringIncludes(guide, "\n{{table:settings}}\n");
  assertNames(docsTable("jobs"), JOBS.map(({ name }) => `| \`${name}\``));
});

Deno.test("every task that a document names exists", () => {
  for (const [name, text] of Object.entries({ ...texts, guide })) {
    const named = text.matchAll(/(?:deno|deno@[\d.]+) task ([a-z][a-z:-]*)/g);
    for (const [, task] of named) {
      assert(config.tasks[task!], `${name}: ${task}`);
    }
  }
});

Deno.test("every path that a document names exists", async () => {
  const missing: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const links = [...text.matchAll(/\]\(([\w./-]+)\)/g)]
      .map(([, path]) => join(dirname(name), path!));
    const paths = [...text.matchAll(PATH)].map(([, path]) => path!);
    for (const path of [...links, ...paths]) {
      const found = await Deno.stat(new URL(path, ROOT)).catch(() => null);
      if (found === null) missing.push(`${name}: ${path}`);
    }
  }
  assertEquals(missing, []);
});

Deno.test("every answer of ARCHITECTURE.md names at most two places, and each has its symbol", async () => {
  const [, section] = texts["ARCHITECTURE.md"]!.split("## Fifteen questions");
  const [, , ...rows] = section!.split("\n## ")[0]!.trim().split("\n");
  assertEquals(rows.length, 15);
  for (const row of rows) {
    const [, question, answer] = row.split("|").map((cell) => cell.trim());
    const places = answer!.split("; ");
    assert(places.length <= 2, question);
    for (const place of places) {
      if (place.startsWith("in ")) continue;
      const [, symbol, path] = /`(\w+)` in `([\w./]+)`$/.exec(place)!;
      assertMatch(await read(path!), new RegExp(`\\b${symbol}\\b`), question);
    }
  }
});

Deno.test("sdk/api_types.ts is what `deno task sdk-types` writes", async () => {
  const written = await writeTypes(await readDocument());
  assertEquals(
    await Deno.readTextFile(TYPES_FILE),
    written,
    "run `deno task sdk-types`",
  );
});
