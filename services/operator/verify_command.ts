/** Operator command: checks the manifests and files of a deployment or of a copy. */
import { type Command, print, usageError } from "./command.ts";
import { checkManifests } from "../downloads/manifest_check.ts";
import {
  deploymentSource,
  folderSource,
  isUrl,
} from "../downloads/manifest_source_client.ts";

/** Checks a chain of manifests, and names the altered and the removed files. */
export const verifyManifests: Command<unknown> = {
  name: "verify-manifests",
  usage: "verify-manifests <url|folder>",
  description:
    "checks the manifests of a deployment, or of a folder with its files: hashes,\n" +
    "      signatures, that none is missing, and the files of the newest one",
  needsNoStore: true,
  async run(_deps, [from]) {
    if (from === undefined) {
      return usageError("Missing argument: expected a URL or a folder");
    }
    const source = isUrl(from) ? deploymentSource(from) : folderSource(from);
    const { manifests, signed, files, absentFiles, problems } =
      await checkManifests(source);
    for (const problem of problems) print(problem);
    const absent = absentFiles === 0 ? "" : `, ${absentFiles} files not here`;
    print(
      `${manifests} manifests (${signed} signed), ${files} files checked${absent}: ` +
        `${problems.length} problems`,
    );
    return problems.length > 0 ? 1 : 0;
  },
};
