import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startFlags } from "../../services/operator/start_flags.ts";
import { startOperator, startProgram } from "../support/processes/service.ts";
import { waitUntil } from "../support/wait_until.ts";
import { openStores } from "../../services/stores.ts";

const ROUNDS = 300;

async function operate(kvPath: string, ...args: string[]) {
  await using running = startOperator({ KV_PATH: kvPath }, ...args);
  const { code, output } = await running.finish();
  return { code, output };
}

Deno.test("an interrupted export leaves no file, wherever it was", async () => {
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  const live = `${folder}/live.sqlite3`;
  const out = `${folder}/out`;
  const temp = `${folder}/temp`;
  await Deno.mkdir(out);
  await Deno.mkdir(temp);
  {
    using kv = await Deno.openKv(live);
    for (let at = 0; at < 1_000; at++) {
      await kv.set(["filler", at], "x".repeat(60_000));
    }
  }
  const old = `${temp}/firn_snapshot_old`;
  await Deno.mkdir(old);
  await Deno.utime(old, 0, 0);
  const settings = { KV_PATH: live, TMPDIR: temp };
  const list = async (path: string) =>
    (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
  const moments = {
    "while the database is copied": async () => {
      const names = await list(temp);
      return names.length > 0 && !names.includes("firn_snapshot_old");
    },
    "while the file is written": async () => (await list(out)).length > 0,
  };
  for (const [when, isReached] of Object.entries(moments)) {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const file = `${out}/backup.ndjson`;
      const args = ["export", file];
      const flags = startFlags("operator", settings, { args, temp });
      const command = ["run", ...flags, "operator.ts", ...args];
      await using running = startProgram(command, settings);
      await waitUntil(isReached);
      running.process.kill(signal);
      const { code, output } = await running.finish();
      assert(code === 130 || code === 143, `${when}: ${code} ${output}`);
      assertEquals([await list(out), await list(temp)], [[], []], when);
    }
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an export takes no more memory for a larger database: 100 MB go through a heap of 64", async () => {
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  const live = `${folder}/live.sqlite3`;
  const file = `${folder}/backup.ndjson`;
  const [commits, entries] = [400, 125];
  {
    using kv = await Deno.openKv(live);
    for (let commit = 0; commit < commits; commit++) {
      const atomic = kv.atomic();
      for (let nth = 0; nth < entries; nth++) {
        atomic.set(["filler", commit, nth], "x".repeat(2_000));
      }
      await atomic.commit();
    }
  }
  const settings = { KV_PATH: live };
  const args = ["export", file];
  const flags = startFlags("operator", settings, { args, temp: folder });
  const heap = "--v8-flags=--max-old-space-size=64";
  const command = ["run", heap, ...flags, "operator.ts", ...args];
  await using running = startProgram(command, { ...settings, TMPDIR: folder });
  const { code, output } = await running.finish();
  assertEquals(code, 0, output);
  assertStringIncludes(output, `${commits * entries} entries`);
  assert((await Deno.stat(file)).size > commits * entries * 2_000);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("export copies a consistent snapshot during writes, and import restores it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  const live = `${folder}/live.sqlite3`;
  const copy = `${folder}/copy.sqlite3`;
  const file = `${folder}/backup.ndjson`;
  {
    using kv = await Deno.openKv(live);
    await kv.set(["api_keys", "hash"], { id: "id", revokedAt: null });
    for (let at = 0; at < 2_000; at++) {
      await kv.set(["filler", at], "x".repeat(200));
    }
    // One transaction at a time changes the first and the last key.
    let isExported = false;
    let round = 0;
    const writing = (async () => {
      while (!isExported) {
        round += 1;
        await kv.atomic().set(["a_side"], round).set(["z_side"], round)
          .commit();
      }
    })();
    await waitUntil(() => round >= ROUNDS);
    const before = round;
    const { code, output } = await operate(live, "export", file);
    isExported = true;
    await writing;
    assertEquals(code, 0, output);
    assert(round > before, "nothing was written during the export");
    assertStringIncludes(output, "2003 entries");
    const exportedAt = await openStores(kv).entries.findExport();
    assert(Math.abs(exportedAt! - Date.now()) < 60_000, output);
  }
  const { mode } = await Deno.stat(file);
  assertEquals((mode ?? 0) & 0o777, 0o600);
  const { code, output } = await operate(copy, "import", file);
  assertEquals(code, 0, output);
  assertStringIncludes(output, "1 API keys wait until their owners sign in");
  {
    using kv = await Deno.openKv(copy);
    const [a, z] = await kv.getMany<[number, number]>([["a_side"], ["z_side"]]);
    assert(a.value !== null && a.value >= ROUNDS);
    assertEquals(a.value, z.value);
    assertEquals(await openStores(kv).entries.findImport(), null);
  }
  const again = await operate(copy, "import", file);
  assertEquals(again.code, 1);
  assertStringIncludes(
    again.output,
    "Cannot import the backup: the store is not empty",
  );
  await Deno.remove(folder, { recursive: true });
});
