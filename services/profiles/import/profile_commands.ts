/** The operator's commands about profiles. */
import type { ProfilesDeps } from "../deps.ts";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { importProfiles, type ImportProgress } from "./profile_import.ts";
import {
  type Command,
  isAddress,
  print,
  refuseWallet,
  usageError,
} from "../../platform/operator/command.ts";

/** Brings profiles in. */
export const importProfileFile: Command<ProfilesDeps> = {
  name: "profiles import",
  usage: "profiles import <file.ndjson>",
  description:
    "brings in profiles, follows and donations, an object a line; broken off,\n" +
    "      it goes on, and what is there already stays as it is",
  async run(deps, [file]) {
    if (file === undefined) {
      return usageError("Cannot go on: accepted is a file name");
    }
    if (!await Deno.stat(file).then((stat) => stat.isFile, () => false)) {
      return usageError(`Cannot read "${file}": there is no such file`);
    }
    const open = () => createInterface({ input: createReadStream(file) });
    const report = await importProfiles(deps, open, progressLine());
    const { lines, resumedAfter, follows, refused, refusedCount } = report;
    if (resumedAfter > 0) print(`went on after line ${resumedAfter}`);
    for (const { line, reason } of refused) print(`line ${line}: ${reason}`);
    if (refusedCount > refused.length) {
      print(`and ${refusedCount - refused.length} lines more`);
    }
    print(
      `${lines} lines, ${follows.added} follows added, ` +
        `${follows.unchanged} there already, ${refusedCount} lines refused`,
    );
    return refusedCount > 0 ? 1 : 0;
  },
};

/** Gives an address its Verified Human number. */
export const verifyHuman: Command<ProfilesDeps> = {
  name: "profiles verify-human",
  usage: "profiles verify-human <wallet>",
  description: "gives a claimed profile its permanent Verified Human number",
  async run({ now, store }, [wallet]) {
    if (!isAddress(wallet)) return refuseWallet(wallet);
    const cause = { at: now().getTime(), requestId: null };
    const number = await store.humans.grant(wallet.toLowerCase(), cause);
    print(number === null ? "nobody has claimed this profile" : String(number));
    return number === null ? 1 : 0;
  },
};

/** Says how far an import is, once a second at most. */
function progressLine(): (progress: ImportProgress) => void {
  const startedAt = performance.now();
  let saidAt = startedAt;
  return ({ lines, refusedCount }) => {
    const now = performance.now();
    if (now - saidAt < 1_000) return;
    saidAt = now;
    const perSecond = Math.round(lines / ((now - startedAt) / 1_000));
    print(`${lines} lines, ${perSecond} a second, ${refusedCount} refused`);
  };
}
