/** Operator commands: export and import of the whole store. */
import type { PlatformDeps } from "../platform/deps.ts";
import {
  exportToFile,
  importFromFile,
} from "../platform/backup/backup_file.ts";
import {
  type Command,
  isFile,
  print,
  readOptions,
  refuseFile,
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
    const { entries, sha256 } = await exportToFile(deps, file);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
};

/** Imports a backup into an empty store. */
export const importBackup: Command<PlatformDeps> = {
  name: "import",
  usage: "import <file.ndjson> [--keep-keys]",
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
