/** Operator commands for the reports of profiles. */
import type { ProfilesDeps } from "../deps.ts";
import {
  type Command,
  isAddress,
  print,
  refuseWallet,
} from "../../platform/operator/command.ts";
import type { ReportDecision } from "./reports_store.ts";

/** Lists the reported profiles. */
export const listReports: Command<ProfilesDeps> = {
  name: "reports list",
  usage: "reports list",
  description:
    "lists the reported profiles: address, display name, slug, and how often\n" +
    "      each reason was given",
  async run({ store }) {
    let count = 0;
    for await (const { address, counts, lastAt } of store.reports.list()) {
      count++;
      const profile = await store.profiles.find(address);
      const names = [profile?.displayName, profile?.slug]
        .map((name) => JSON.stringify(name ?? null)).join(" ");
      const reasons = Object.entries(counts)
        .map(([reason, times]) => `${reason} ${times}`).join(", ");
      const last = new Date(lastAt).toISOString();
      print(`${address} ${names}: ${reasons}; last ${last}`);
    }
    print(`${count} reported profiles`);
    return 0;
  },
};

/** Hides a profile. */
export const hideProfile: Command<ProfilesDeps> = {
  name: "reports hide",
  usage: "reports hide <address>",
  description:
    "hides the names and the linked accounts of a profile, and removes its reports",
  run: (deps, [address]) => decide(deps, address, "hide"),
};

/** Dismisses the reports of a profile. */
export const dismissReports: Command<ProfilesDeps> = {
  name: "reports dismiss",
  usage: "reports dismiss <address>",
  description:
    "removes the reports of a profile, and shows it again if it was hidden",
  run: (deps, [address]) => decide(deps, address, "dismiss"),
};

async function decide(
  { now, store }: ProfilesDeps,
  address: string | undefined,
  decision: ReportDecision,
): Promise<number> {
  if (!isAddress(address)) return refuseWallet(address);
  const at = now().getTime();
  const isDone = await store.reports.decide(
    address.toLowerCase(),
    decision,
    at,
  );
  const done = decision === "hide" ? "hidden" : "dismissed";
  print(isDone ? done : "the profile is unclaimed");
  return isDone ? 0 : 1;
}
