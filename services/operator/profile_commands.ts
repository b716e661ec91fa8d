/** Operator commands for profiles. */
import type { ProfilesDeps } from "../profiles/profiles.ts";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Clock } from "../platform/clock.ts";
import {
  importProfiles,
  type ImportProgress,
} from "../profiles/profile_import.ts";
import {
  type Command,
  isAddress,
  isFile,
  print,
  refuseFile,
  refuseWallet,
} from "./command.ts";

/** Imports a file of profiles. */
export const importProfileFile: Command<ProfilesDeps> = {
  name: "profiles import",
  usage: "profiles import <file.ndjson>",
  mayDryRun: true,
  description:
    "imports profiles, follows and donations, one JSON object per line; can be\n" +
    "      resumed after an interruption, and keeps existing data",
  async run(deps, [file]) {
    if (file === undefined || !await isFile(file)) return refuseFile(file);
    const open = () => createInterface({ input: createReadStream(file) });
    const report = await importProfiles(deps, open, progressLine(deps));
    const { lines, resumedAfter, follows, refused, refusedCount } = report;
    if (resumedAfter > 0) print(`resumed after line ${resumedAfter}`);
    for (const { line, reason } of refused) print(`line ${line}: ${reason}`);
    if (refusedCount > refused.length) {
      print(`and ${refusedCount - refused.length} more lines`);
    }
    print(
      `${lines} lines, ${follows.added} follows added, ` +
        `${follows.unchanged} unchanged, ${refusedCount} lines rejected`,
    );
    return refusedCount > 0 ? 1 : 0;
  },
};

/** Grants a Verified Human number. */
export const verifyHuman: Command<ProfilesDeps> = {
  name: "profiles verify-human",
  usage: "profiles verify-human <wallet>",
  mayDryRun: true,
  description:
    "grants a claimed profile its permanent Verified Human number; signed scores\n" +
    "      say so while accounts of two kinds are linked",
  async run({ now, store }, [wallet]) {
    if (!isAddress(wallet)) return refuseWallet(wallet);
    const cause = { at: now().getTime(), requestId: null };
    const number = await store.humans.grant(wallet.toLowerCase(), cause);
    print(number === null ? "the profile is unclaimed" : String(number));
    return number === null ? 1 : 0;
  },
};

/** Hides a profile. */
export const hideProfile: Command<ProfilesDeps> = {
  name: "profiles hide",
  usage: "profiles hide <address>",
  mayDryRun: true,
  description:
    "hides the names and the linked accounts of a profile from others",
  run: (deps, [address]) => setHidden(deps, address, true),
};

/** Shows a hidden profile again. */
export const showProfile: Command<ProfilesDeps> = {
  name: "profiles show",
  usage: "profiles show <address>",
  mayDryRun: true,
  description: "shows a hidden profile again",
  run: (deps, [address]) => setHidden(deps, address, false),
};

async function setHidden(
  { now, store }: ProfilesDeps,
  address: string | undefined,
  isHidden: boolean,
): Promise<number> {
  if (!isAddress(address)) return refuseWallet(address);
  const at = now().getTime();
  const isDone = await store.profiles.setHidden(
    address.toLowerCase(),
    isHidden,
    at,
  );
  const done = isHidden ? "hidden" : "shown";
  print(isDone ? done : "the profile is unclaimed");
  return isDone ? 0 : 1;
}

/** Returns a callback that prints the progress, at most once a second. */
function progressLine(
  { now }: Clock,
): (progress: ImportProgress) => void {
  const startedAt = now().getTime();
  let printedAt = startedAt;
  return ({ lines, refusedCount }) => {
    const at = now().getTime();
    if (at - printedAt < 1_000) return;
    printedAt = at;
    const perSecond = Math.round(lines / ((at - startedAt) / 1_000));
    print(`${lines} lines, ${perSecond} per second, ${refusedCount} rejected`);
  };
}
