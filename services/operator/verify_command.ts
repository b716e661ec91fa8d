/** Operator command: checks the manifests and files of a deployment or of a copy. */
import { type Command, print, readOptions, usageError } from "./command.ts";
import {
  type Authenticity,
  checkManifests,
} from "../downloads/manifest_check.ts";
import { isPublicKey } from "../downloads/manifest_keys.ts";
import {
  deploymentSource,
  folderSource,
  isUrl,
} from "../downloads/manifest_source_client.ts";
import { dayAt, formatDay } from "../platform/days.ts";
import { Day } from "../platform/wire_schema.ts";

/** A deployment publishes a release a day, so an older one was put in place of a newer one, or its job fails. */
const MAX_AGE_DAYS = 3;

/** Exit status of a check that found something altered, missing or too old. */
const PROBLEMS = 1;

/** Exit statuses and words of a check without problems. Only a key that the data did not bring proves who made them. */
const OUTCOMES: Record<Authenticity, { status: number; word: string }> = {
  verified: { status: 0, word: "verified" },
  unsigned: {
    status: 3,
    word: "unsigned: nothing proves who made these files",
  },
  keyNotPinned: {
    status: 4,
    word:
      "not verified: the keys came with the files; give the publisher's key with --key",
  },
};

/** Returns the command, which names the altered and the removed files of a chain of manifests. */
export function verifyManifestsAt(now: () => number): Command<unknown> {
  return {
    name: "verify-manifests",
    usage:
      "verify-manifests <url|folder> [--key <public key>] [--since <date>]",
    description:
      "checks the manifests of a deployment, or of a folder with its files: hashes,\n" +
      "      signatures, that none is missing, and the files of the newest one. Without\n" +
      "      --key nothing proves who signed. Exit status: 0 verified, 1 altered or too\n" +
      "      old, 3 unsigned, 4 signed by a key that came with the files",
    needsNoStore: true,
    async run(_deps, args) {
      const { positional: [from], key, since } = readOptions(
        args,
        "key",
        "since",
      );
      if (from === undefined) {
        return usageError("Missing argument: expected a URL or a folder");
      }
      if (key !== undefined && !isPublicKey(key)) {
        return usageError(
          `Invalid key "${key}": expected 32 bytes in base64url, the "x" of a published key`,
        );
      }
      if (since !== undefined && !Day.safeParse(since).success) {
        return usageError(`Invalid date "${since}": expected YYYY-MM-DD`);
      }
      const source = isUrl(from) ? deploymentSource(from) : folderSource(from);
      const oldest = isUrl(from)
        ? formatDay(dayAt(now()) - MAX_AGE_DAYS)
        : undefined;
      const { authenticity, newestOn, ...found } = await checkManifests(
        source,
        {
          keys: key === undefined ? [] : [key],
          since: since ?? oldest,
        },
      );
      const { manifests, signed, files, absentFiles, problems } = found;
      for (const problem of problems) print(problem);
      const { status, word } = OUTCOMES[authenticity];
      const absent = absentFiles === 0 ? "" : `, ${absentFiles} files not here`;
      print(
        `${manifests} manifests (${signed} signed), newest of ${
          newestOn ?? "no day"
        }, ${files} files checked${absent}: ` +
          (problems.length > 0 ? `${problems.length} problems` : word),
      );
      return problems.length > 0 ? PROBLEMS : status;
    },
  };
}

/** Checks a chain of manifests by the machine's clock. */
export const verifyManifests = verifyManifestsAt(Date.now);
