/** Operator commands: export and import of the whole store. */
import type { PlatformDeps } from "../platform/open/deps.ts";
import { entryStore } from "../platform/kv/entries_store.ts";
import { exportToFile, importFromFile, partOf } from "./backup.ts";
import {
  type Command,
  isFile,
  print,
  readOptions,
  refuseFile,
  removedOnSignal,
} from "./command.ts";

/** The option for a backup that is not older than the last change. */
const KEEP_KEYS = "--keep-keys";

/** Exports the store to a file. */
export const exportBackup: Command<PlatformDeps> = {
  name: "export",
  usage: "export <file.ndjson>",
  description: "copies the whole store into a file, while the service runs",
  readsSnapshot: true,
  takesPartialStore: true,
  async run(deps, [file]) {
    if (file === undefined) return refuseFile(file);
    using _ = removedOnSignal(() => partOf(file));
    const { entries, sha256 } = await exportToFile(deps, file);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
  record: (kv, startedAt) => entryStore(kv, {}).putExport(startedAt),
};

/** Imports a backup into an empty store. */
export const importBackup: Command<PlatformDeps> = {
  name: "import",
  usage: "import <file.ndjson> [--keep-keys]",
  mayDryRun: true,
  description:
    "imports a file of export into an empty store; if interrupted, run it again.\n" +
    "      API keys then wait until their owners sign in, since the file does not\n" +
    "      show which were revoked after it. --keep-keys: nothing has changed since\n" +
    "      the export, so keys, quotes and the payment scan continue unchanged",
  takesPartialStore: true,
  async run(deps, args) {
    const isCurrent = args.includes(KEEP_KEYS);
    const { positional: [file] } = readOptions(
      args.filter((arg) => arg !== KEEP_KEYS),
    );
    if (file === undefined || !await isFile(file)) return refuseFile(file);
    const imported = await importFromFile(deps, file, { isCurrent });
    const { entries, sha256, changes } = imported;
    for (const [says, count] of changes) print(`${count} ${says}`);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
};

/** Gives the store an id, without which the service does not start on Deno Deploy. */
export const initStore: Command<PlatformDeps> = {
  name: "store init",
  usage: "store init",
  description:
    "gives the database an id, so that the service starts on it on Deno Deploy;\n" +
    "      run it from outside, with the connect URL in KV_PATH",
  async run({ store }) {
    print(`store ${await store.identity.init()}`);
    return 0;
  },
};

type BrokenRule = Awaited<
  ReturnType<PlatformDeps["store"]["invariants"]["check"]>
>["broken"][number];

/** Checks every record against the store rules. */
export const checkStore: Command<PlatformDeps> = {
  name: "check-store",
  usage: "check-store",
  description:
    "checks every record against the rules of the store, for example after a crash;\n" +
    "      names each record that breaks a rule, and changes nothing",
  readsSnapshot: true,
  takesPartialStore: true,
  async run({ now, store }) {
    const { records, brokenCount, broken } = await store.invariants.check(
      now().getTime(),
    );
    for (const one of broken) print(showBroken(one));
    if (brokenCount > broken.length) {
      print(`and ${brokenCount - broken.length} more`);
    }
    print(`${records} records, ${brokenCount} rules broken`);
    return brokenCount > 0 ? 1 : 0;
  },
};

function showBroken({ key, rule, invariant, error }: BrokenRule): string {
  const why = error === null ? "" : `; the check failed: ${error}`;
  return `${rule} ${JSON.stringify(key)} breaks the rule "${invariant}"${why}`;
}
