/** Backup files: one that cannot be completed leaves nothing behind. */
import { assertEquals, assertRejects } from "@std/assert";
import { exportToFile } from "../../../../services/platform/backup/backup_file.ts";
import { openStores } from "../../../../services/stores.ts";
import { START } from "../../../support/deps.ts";

const now = () => new Date(START);

Deno.test("exportToFile() removes what it could not complete, and keeps the backup before it", async () => {
  const folder = await Deno.makeTempDir();
  using kv = await Deno.openKv(":memory:");
  const store = openStores(kv);
  const { entries } = store;
  const file = `${folder}/backup.ndjson`;
  await kv.set(["plans", "a"], 1);
  await exportToFile({ now, store }, file);
  const before = await Deno.readTextFile(file);
  const gone = new Error("no space left on device");
  const failing = {
    ...entries,
    async *list() {
      yield* entries.list();
      throw gone;
    },
  };
  const broken = { ...store, entries: failing };
  await assertRejects(
    () => exportToFile({ now, store: broken }, file),
    Error,
    gone.message,
  );
  assertEquals(
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    ["backup.ndjson"],
  );
  assertEquals(await Deno.readTextFile(file), before);
  await Deno.remove(folder, { recursive: true });
});
