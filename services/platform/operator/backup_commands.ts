/** Operator commands: export and import of the whole store. */
import type { PlatformDeps } from "../deps.ts";
import { exportToFile, importFromFile } from "../backup/backup_file.ts";
import { type Command, print, usageError } from "./command.ts";

/** Exports the store to a file. */
export const exportBackup: Command<PlatformDeps> = {
  name: "export",
  usage: "export <file.ndjson>",
  description: "copies the whole store into a file, while the service runs",
  readsSnapshot: true,
  async run(deps, [file]) {
    if (file === undefined) return refuseFile();
    const { entries, sha256 } = await exportToFile(deps, file);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
};

/** Imports a backup into an empty store. */
export const importBackup: Command<PlatformDeps> = {
  name: "import",
  usage: "import <file.ndjson>",
  description:
    "puts a file of export into an empty store; broken off, it goes on",
  async run(deps, [file]) {
    if (file === undefined) return refuseFile();
    const { entries, sha256 } = await importFromFile(deps, file);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
};

const refuseFile = () => usageError("Missing argument: expected a file name");
