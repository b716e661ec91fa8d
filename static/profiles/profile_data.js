/** Exporting the profile, and deleting it after a dialog that says what goes and what stays. */
import { call } from "../dashboard/api.js";
import { askToConfirm } from "../dashboard/dialogs.js";
import { byId, make } from "../dashboard/elements.js";
import { onClick, showMessage } from "../dashboard/problems.js";

/** @import { DeletedProfile, OwnProfile } from "../../services/profiles/profiles_schema.ts" */
/** @import { Steps } from "./own_profile.js" */

const MESSAGE = "data-message";

/** Some browsers read the file only after the click. */
const REVOKE_MS = 60_000;

/** @param {Steps} steps */
export function openData({ wallet, refresh }) {
  onClick(byId("export-profile"), MESSAGE, async () => {
    // A link would export the profile of any wallet that is signed in by then.
    const data = JSON.stringify(await call("GET", "/profile/export"));
    const href = URL.createObjectURL(
      new Blob([data], { type: "application/json" }),
    );
    make("a", { href, download: `firn-profile-${wallet}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(href), REVOKE_MS);
  });
  onClick(byId("delete-profile"), MESSAGE, async () => {
    const isAgreed = await askToConfirm({
      title: "Delete your profile?",
      content: [
        make("p", {
          textContent:
            "Your display name, the name in the address of your page, your linked accounts and your follows are removed at once. Others can take the name. Your score changes, and so do the scores of those you follow.",
        }),
        make("p", {
          textContent:
            "Your payments, donations and Verified Human number stay as facts of the ledger. They are yours again if you claim a profile later. The names of the accounts that earned the number stay too, so that they earn no other one.",
        }),
      ],
      yes: "Delete the profile",
      isDanger: true,
    });
    if (!isAgreed) return;
    /** @type {DeletedProfile} */
    const { remainingFollows } = await call("DELETE", "/profile");
    const change = await refresh();
    byId("claim", HTMLFormElement).reset();
    const later = remainingFollows === 0
      ? ""
      : ` ${remainingFollows} follows are removed within the hour.`;
    showMessage(MESSAGE, `Your profile is deleted.${later} ${change}`, "good");
  });
}

/** @param {Pick<OwnProfile, "claimedAt">} profile */
export function showData({ claimedAt }) {
  byId("delete-profile").hidden = claimedAt === null;
}
