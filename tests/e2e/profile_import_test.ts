/** Operator commands for profiles, as processes on a database file. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openStores } from "../../services/stores.ts";
import { kill, startOperator, until } from "../support/processes/service.ts";

const AT = "2026-01-01T00:00:00Z";
const address = (nth: number) => `0x${String(nth).padStart(40, "0")}`;

/** Creates a folder with a database, and functions that run commands on it. */
async function openFolder() {
  const folder = await Deno.makeTempDir();
  const kvPath = `${folder}/kv.sqlite3`;
  const start = (...args: string[]) =>
    startOperator({ KV_PATH: kvPath }, "profiles", ...args);
  return {
    kvPath,
    start,
    async write(lines: readonly unknown[]): Promise<string> {
      const file = `${folder}/profiles.ndjson`;
      const texts = lines.map((line) => JSON.stringify(line));
      await Deno.writeTextFile(file, texts.join("\n"));
      return file;
    },
    async run(...args: string[]) {
      await using program = start(...args);
      return await program.finish();
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("a killed import resumes after its last checkpoint", async () => {
  await using folder = await openFolder();
  const lines = Array.from({ length: 6_000 }, (_, nth) => ({
    address: address(nth),
    displayName: `Nr. ${nth}`,
    follows: [{ address: address(nth + 1), at: AT }],
  }));
  const file = await folder.write(lines);
  {
    await using program = folder.start("import", file);
    await until(
      program,
      () => / lines, \d+ per second/.test(program.output()),
    );
    kill(program.process, "SIGKILL");
  }
  const { code, output } = await folder.run("import", file);
  assertEquals(code, 0, output);
  const [, after] = /^resumed after line (\d+)$/m.exec(output) ?? [];
  assert(Number(after) > 0 && Number(after) < lines.length, output);
  using kv = await Deno.openKv(folder.kvPath);
  const { profiles, follows } = openStores(kv);
  for (const nth of [0, 1, 3_000, 5_998]) {
    assertEquals(
      (await profiles.find(address(nth)))?.displayName,
      `Nr. ${nth}`,
    );
    assertEquals((await follows.find(address(nth + 1))).followers, 1);
  }
});

Deno.test("profiles verify-human grants one number, and invalid arguments exit with 2", async () => {
  await using folder = await openFolder();
  const file = await folder.write([{ address: address(1) }]);
  await folder.run("import", file);
  const wallet = address(1);
  for (const _ of [1, 2]) {
    const { code, output } = await folder.run("verify-human", wallet);
    assertEquals([code, output.trim().split("\n").at(-1)], [0, "1"]);
  }
  const nobody = await folder.run("verify-human", address(9));
  assertEquals(nobody.code, 1);
  assertMatch(nobody.output, /the profile is unclaimed/);
  for (
    const args of [["verify-human", "ada"], ["import"], ["import", "none"]]
  ) {
    assertEquals((await folder.run(...args)).code, 2);
  }
});
