/** Operator command: checks all store rules. */
import type { PlatformDeps } from "../platform/deps.ts";
import { type Command, print } from "./command.ts";

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
