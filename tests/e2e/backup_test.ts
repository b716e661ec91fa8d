import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startOperator } from "../support/processes/service.ts";
import { waitUntil } from "../support/wait_until.ts";
import { openStores } from "../../services/stores.ts";

const ROUNDS = 300;

async function operate(kvPath: string, ...args: string[]) {
  await using running = startOperator({ KV_PATH: kvPath }, ...args);
  const { code, output } = await running.finish();
  return { code, output };
}

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
