/** A database file that cannot be opened: the start says why, and what to do. */
import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { startProgram } from "../support/processes/service.ts";
import { SMALL_DISK_SKIPPED, UNSHARE } from "../support/kv/small_disk.ts";

/** Takes from root what lets it ignore the modes of files; refused to other users, who have no such right. */
const SETPRIV = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];
const LIMITED = await runs([...SETPRIV, "true"]) ? SETPRIV : [];

/** What happens to the file of a database before it is opened. */
interface Broken {
  readonly name: string;
  /** Changes the file; what it returns ends the change. */
  readonly change?: (file: string) => Disposable | void | Promise<void>;
  /** Commands that run before, in a mount namespace in which a small disk is at `$1`. */
  readonly onDisk?: string;
  readonly reason: RegExp;
}

const BROKEN: readonly Broken[] = [
  {
    name: "no database",
    change: (file) => Deno.writeTextFileSync(file, "no database ".repeat(999)),
    reason: /it is corrupt; restore a backup/,
  },
  {
    name: "overwritten pages",
    change(file) {
      using opened = Deno.openSync(file, { write: true });
      opened.seekSync(4_096, Deno.SeekMode.Start);
      for (let page = 0; page < 9; page++) {
        opened.writeSync(new Uint8Array(4_096).fill(7));
      }
    },
    reason: /it is corrupt; restore a backup/,
  },
  {
    name: "a lock of another program",
    change(file) {
      const other = new DatabaseSync(file);
      other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
      return { [Symbol.dispose]: () => other.close() };
    },
    reason: /another program has locked it; end that program/,
  },
  {
    name: "a file of another user",
    change: (file) => Deno.chmodSync(file, 0),
    reason: /it is forbidden; let the user/,
  },
  {
    name: "a file that may only be read",
    change: (file) => Deno.chmodSync(file, 0o444),
    reason: /it is read-only; allow writes/,
  },
  {
    name: "a folder that does not exist",
    change: (file) =>
      Deno.removeSync(file.slice(0, file.lastIndexOf("/")), {
        recursive: true,
      }),
    reason: /its folder does not exist; create it/,
  },
  {
    name: "a disk that may only be read",
    onDisk: 'mount -o remount,ro "$1"',
    reason: /it is read-only; allow writes/,
  },
  {
    name: "a full disk",
    onDisk: 'cat /dev/zero > "$1/ballast" 2> /dev/null || true',
    reason: /the disk is full/,
  },
];

Deno.test({
  name:
    "a start on a broken database is one line: why it does not open, and what to do",
  ignore: SMALL_DISK_SKIPPED,
  async fn(t) {
    const opened = await openBroken({ name: "sound", reason: /^/ });
    assertEquals(opened, { code: 0, output: "opened\n" });
    for (const broken of BROKEN) {
      await t.step(broken.name, async () => {
        const { code, output } = await openBroken(broken);
        assertEquals([code, output.split("\n").length], [1, 2], output);
        const { reason } = broken;
        const start = "Cannot start: cannot open the database of KV_PATH: ";
        assertEquals(output.startsWith(start), true, output);
        assertEquals(reason.test(output), true, output);
      });
    }
  },
});

/** Opens a database with some records after a change. */
async function openBroken({ change, onDisk }: Broken) {
  const root = await Deno.makeTempDir();
  const folder = `${root}/kv`;
  await Deno.mkdir(folder);
  const file = `${folder}/firn.sqlite3`;
  try {
    using kv = await Deno.openKv(file);
    const records = kv.atomic();
    for (let nth = 0; nth < 400; nth++) records.set([nth], "x".repeat(99));
    await records.commit();
    kv.close();
    using _change = (await change?.(file)) ?? { [Symbol.dispose]() {} };
    const script =
      `mkdir "$1.seed" && cp "$1"/* "$1.seed" && mount -t tmpfs -o size=1m tmpfs "$1" && cp "$1.seed"/* "$1" && ${onDisk} && shift && exec "$@"`;
    const through = onDisk === undefined
      ? LIMITED
      : [...UNSHARE, "sh", "-c", script, "sh", folder];
    const args = ["run", "-A", "--no-lock", "--no-check"];
    return await startProgram(
      [...args, "tests/support/processes/open_store.ts"],
      { KV_PATH: file, PATH: Deno.env.get("PATH")! },
      { through },
    ).finish();
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function runs([command = "", ...args]: readonly string[]) {
  const { success } = await new Deno.Command(command, { args }).output()
    .catch(() => ({ success: false }));
  return success;
}
