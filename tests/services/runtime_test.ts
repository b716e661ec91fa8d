/** The real database and clock of a process, and copies of the database. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { stub } from "@std/testing/mock";
import { type Config, readConfig } from "../../services/config.ts";
import { FORMAT } from "../../services/platform/kv/store_format.ts";
import { openRuntime } from "../../services/runtime.ts";
import { openLive, openSnapshot } from "../../services/operator/command.ts";
import { StartError } from "../../services/start_error.ts";

/** Runs work in a new folder, which is removed afterwards. */
async function inFolder(
  work: (folder: string, config: Config) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const config = readConfig({});
    await work(folder, { ...config, kvPath: `${folder}/firn.sqlite3` });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Notes the folders for temporary files that are made. */
function watchTempDirs(): Disposable & { readonly folders: string[] } {
  const folders: string[] = [];
  const { makeTempDirSync } = Deno;
  const made = stub(Deno, "makeTempDirSync", (options) => {
    folders.push(makeTempDirSync(options));
    return folders.at(-1)!;
  });
  return { folders, [Symbol.dispose]: () => made.restore() };
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

Deno.test("a runtime prepares its database, and its clock starts at the configured instant", () =>
  inFolder(async (_, config) => {
    const { kv, write } = await openRuntime(config);
    const format = await kv.get(["format"]);
    kv.close();
    assertEquals(format.value, { format: FORMAT, cursor: null });
    const memory = { ...config, kvPath: ":memory:" };
    const atMs = async <T>(ms: number, work: () => T | Promise<T>) => {
      using _clock = stub(Date, "now", () => ms);
      return await work();
    };
    const later = await atMs(
      1_000,
      () => openRuntime({ ...memory, startsAt: 500_000 }),
    );
    const shown = await atMs(1_250, () => later.now().getTime());
    later.kv.close();
    assertEquals(shown, 500_250);
    const real = await openRuntime(memory);
    const before = Date.now();
    const given = real.now().getTime();
    real.kv.close();
    assert(given >= before && given <= Date.now());
    const written: string[] = [];
    for (const level of ["error", "warn", "info"] as const) {
      using _writer = stub(console, level, (line) => {
        written.push(`${level} ${line}`);
      });
      write("line", level);
    }
    assertEquals(written, ["error line", "warn line", "info line"]);
  }));

Deno.test("a database that cannot be opened, or that a newer version wrote, ends the start in one line", () =>
  inFolder(async (folder, config) => {
    const absent = { ...config, kvPath: `${folder}/absent/firn.sqlite3` };
    const { message } = await assertRejects(
      () => openRuntime(absent),
      StartError,
    );
    assertEquals(
      message,
      "Cannot start: cannot open the database of KV_PATH: its folder does not exist; create it",
    );
    const kv = await Deno.openKv(config.kvPath);
    await kv.set(["format"], { format: FORMAT + 1, cursor: null });
    kv.close();
    const newer = await assertRejects(() => openRuntime(config), StartError);
    assertEquals(
      newer.message,
      `Cannot start: the store has format ${
        FORMAT + 1
      }: expected at most ${FORMAT}; run the version that wrote it, or a newer one`,
    );
  }));

Deno.test("a snapshot is a copy of the database at one moment, which is removed when it is closed", () =>
  inFolder(async (_, config) => {
    using made = watchTempDirs();
    const { folders } = made;
    await using live = await openLive(config);
    const { kv } = live.runtime;
    for (let nth = 0; nth < 20; nth++) {
      await kv.set(["n", nth], "x".repeat(99));
    }
    {
      await using copy = await openSnapshot(config);
      await kv.set(["n", 1], "changed");
      const copied = copy.runtime.kv;
      assertEquals((await copied.get(["n", 1])).value, "x".repeat(99));
      const entries = await Array.fromAsync(copied.list({ prefix: ["n"] }));
      assertEquals(entries.length, 20);
      assertEquals(folders.length, 1);
      assert(await exists(`${folders[0]}/snapshot.sqlite3`));
    }
    assertEquals(await exists(folders[0]!), false);
    assertEquals((await kv.get(["n", 1])).value, "changed");
    // A database without a file is opened itself.
    await using memory = await openSnapshot({ ...config, kvPath: ":memory:" });
    assertEquals((await memory.runtime.kv.get(["n", 1])).value, null);
    assertEquals(folders.length, 1);
  }));

Deno.test("a snapshot that fails leaves no copy behind", () =>
  inFolder(async (_, config) => {
    const kv = await Deno.openKv(config.kvPath);
    await kv.set(["format"], { format: FORMAT + 1, cursor: null });
    kv.close();
    using made = watchTempDirs();
    await assertRejects(() => openSnapshot(config), StartError);
    assertEquals(made.folders.length, 1);
    assertEquals(await exists(made.folders[0]!), false);
  }));

Deno.test("a snapshot of a database that does not exist is refused, and none is made", () =>
  inFolder(async (_, config) => {
    const refusal =
      "Cannot start: cannot copy the database of KV_PATH: expected a database file that exists";
    await assertRejects(() => openSnapshot(config), StartError, refusal);
    assertEquals(await exists(config.kvPath!), false);
    await Deno.writeTextFile(config.kvPath!, "");
    await assertRejects(() => openSnapshot(config), StartError, refusal);
  }));
