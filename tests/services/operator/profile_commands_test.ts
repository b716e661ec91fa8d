/** The operator's import: what it prints, and its exit status. */
import { assertEquals } from "@std/assert";
import { importProfileFile } from "../../../services/operator/profile_commands.ts";
import { runCommand } from "../../support/commands.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { addressOf } from "../../support/graph.ts";
import type { Line } from "../../support/profile_import.ts";

const [A, B] = [addressOf(1), addressOf(2)] as const;
const AT = "2026-10-01T12:00:00Z";

/** Writes lines to a file and imports it. */
async function importFile(deps: TestDeps, lines: readonly Line[]) {
  const file = await Deno.makeTempFile();
  try {
    const texts = lines.map((line) =>
      typeof line === "string" ? line : JSON.stringify(line)
    );
    await Deno.writeTextFile(file, texts.join("\n"));
    return await runCommand(importProfileFile, deps, file);
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("profiles import counts lines and follows, and lists at most 100 rejected lines", async (t) => {
  const good = { address: A, follows: [{ address: B, at: AT }] };
  const rejected = (count: number) =>
    Array.from(
      { length: count },
      (_, nth) => `line ${nth + 1}: the line is not JSON`,
    );
  const cases: [
    name: string,
    lines: readonly Line[],
    status: number,
    text: readonly string[],
  ][] = [
    ["nothing rejected", [good, good, { address: B }], 0, [
      "3 lines, 1 follows added, 1 unchanged, 0 lines rejected",
    ]],
    ["one rejected", ["x", good], 1, [
      ...rejected(1),
      "2 lines, 1 follows added, 0 unchanged, 1 lines rejected",
    ]],
    ["one hundred rejected", Array(100).fill("x"), 1, [
      ...rejected(100),
      "100 lines, 0 follows added, 0 unchanged, 100 lines rejected",
    ]],
    ["more than are listed", Array(103).fill("x"), 1, [
      ...rejected(100),
      "and 3 more lines",
      "103 lines, 0 follows added, 0 unchanged, 103 lines rejected",
    ]],
  ];
  for (const [name, lines, status, text] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps();
      const ran = await importFile(deps, lines);
      assertEquals(ran, { status, text: text.join("\n") });
    });
  }
});

Deno.test("profiles import needs the path of a file", async () => {
  using deps = await testDeps();
  const run = (...args: string[]) =>
    runCommand(importProfileFile, deps, ...args);
  assertEquals(await run(), {
    status: 2,
    text: "Missing file: expected the path of an NDJSON file",
  });
  const folder = await Deno.makeTempDir();
  for (const path of [`${folder}/none`, folder]) {
    assertEquals(await run(path), {
      status: 2,
      text: `Invalid file "${path}": expected the path of a file that exists`,
    });
  }
  await Deno.remove(folder);
});

Deno.test("profiles import says after which line it resumes, and its progress at most once a second", async () => {
  using deps = await testDeps();
  // Each checkpoint has 40,000 units of work; a profile is 41 of them.
  const lines = Array.from({ length: 4 * 976 + 1 }, () => ({ address: A }));
  const { profileImports, profiles } = deps.store;
  const seconds = [10, 10.999, 12, 12.999, 13];
  const now = () => new Date(seconds[0]! * 1_000);
  const stored = { lines: 1, refusedCount: 0, refused: [] };
  const store = {
    ...deps.store,
    profiles: {
      ...profiles,
      change: () =>
        Promise.resolve({ kind: "unchanged", profile: null } as const),
    },
    profileImports: {
      ...profileImports,
      find: () => Promise.resolve(stored),
      put() {
        seconds.shift();
        return Promise.resolve();
      },
    },
  };
  assertEquals(await importFile({ ...deps, now, store }, lines), {
    status: 0,
    text: [
      "1953 lines, 977 per second, 0 rejected",
      "3905 lines, 1302 per second, 0 rejected",
      "resumed after line 1",
      "3905 lines, 0 follows added, 0 unchanged, 0 lines rejected",
    ].join("\n"),
  });
});
