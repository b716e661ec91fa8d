/** Backup files: one that cannot be completed leaves nothing behind. */
import { assertEquals, assertRejects } from "@std/assert";
import { exportToFile } from "../../../services/operator/backup_file.ts";
import { openStores } from "../../../services/stores.ts";
import { START } from "../../support/deps.ts";

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

Deno.test("exportToFile() says what failed before there was a file, and that another export replaced its file", async () => {
  const folder = await Deno.makeTempDir();
  using kv = await Deno.openKv(":memory:");
  const store = openStores(kv);
  const { entries } = store;
  const file = `${folder}/backup.ndjson`;
  await kv.set(["plans", "a"], 1);
  await assertRejects(
    () => exportToFile({ now, store }, `${folder}/missing/backup.ndjson`),
    Deno.errors.NotFound,
    "open",
  );
  let isReplaced = false;
  const slow = {
    ...entries,
    async *list() {
      yield* entries.list();
      if (!isReplaced) await exportToFile({ now, store }, file);
      isReplaced = true;
    },
  };
  await assertRejects(
    () => exportToFile({ now, store: { ...store, entries: slow } }, file),
    Error,
    `another export writes ${file}`,
  );
  assertEquals(
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    ["backup.ndjson"],
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("of two exports to one file one completes, and the other neither replaces nor removes it", async () => {
  const folder = await Deno.makeTempDir();
  using kv = await Deno.openKv(":memory:");
  const store = openStores(kv);
  const { entries } = store;
  const file = `${folder}/backup.ndjson`;
  for (let nth = 0; nth < 3; nth++) await kv.set(["plans", `${nth}`], nth);
  await exportToFile({ now, store }, file);
  const alone = await Deno.readTextFile(file);
  await Deno.remove(file);
  const [begun, replaced] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const slow = {
    ...entries,
    async *list() {
      for await (const entry of entries.list()) {
        yield entry;
        begun.resolve();
        await replaced.promise;
      }
    },
  };
  const first = exportToFile({ now, store: { ...store, entries: slow } }, file);
  await begun.promise;
  let began = false;
  const other = {
    ...entries,
    async *list() {
      for await (const entry of entries.list()) {
        yield entry;
        if (began) continue;
        began = true;
        replaced.resolve();
        await assertRejects(() => first, Error, "another export writes");
      }
    },
  };
  await exportToFile({ now, store: { ...store, entries: other } }, file);
  assertEquals(await Deno.readTextFile(file), alone);
  assertEquals(
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    ["backup.ndjson"],
  );
  await Deno.remove(folder, { recursive: true });
});
