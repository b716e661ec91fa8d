/** Account endpoints for the data of the own profile: its export, and its deletion. */
import { createRoute } from "@hono/zod-openapi";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import {
  DeletedProfile,
  ProfileExport,
} from "../../services/profiles/profiles_schema.ts";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import {
  deleteProfile,
  exportProfile,
} from "../../services/profiles/profiles.ts";
import { limitWallet } from "../../services/platform/rate_limit/wallet_limits.ts";
import { json, newRouter } from "../http/router.ts";
import { PROFILE_ANSWERS } from "./profile_answers.ts";
import {
  type AccountEnv,
  READ_ERRORS,
  SESSION,
  signedIn,
} from "../accounts/session.ts";

/** Serves the export and the deletion of the signed-in wallet's profile. */
export function profileData(deps: ProfilesDeps) {
  const signed = signedIn(deps);
  const getExport = createRoute({
    operationId: "getProfileExport",
    description:
      "The profile, both complete lists of follows, and the donations that later ones are compared with, as one JSON file. The audit trail and the payments have endpoints of their own.",
    tags: ["Account"],
    method: "get",
    path: "/profile/export",
    security: SESSION,
    summary: "Export your profile",
    middleware: [signed] as const,
    request: { query: NoQuery },
    responses: {
      ...READ_ERRORS,
      200: json(ProfileExport, "The data of the profile"),
      429: PROFILE_ANSWERS[429],
    },
  });
  const deleteOwn = createRoute({
    operationId: "deleteProfile",
    description:
      "Removes the names, the linked accounts and the follows of the wallet. The name is free for others at once. The Verified Human number, the names of the accounts that earned it, payments and donations stay as facts; a profile that the wallet claims later has the number, payments and donations again.",
    tags: ["Account"],
    method: "delete",
    path: "/profile",
    security: SESSION,
    summary: "Delete your profile",
    middleware: [signed] as const,
    request: { query: NoQuery },
    responses: {
      ...PROFILE_ANSWERS,
      200: json(DeletedProfile, "The profile is deleted"),
      404: json(ErrorBody, "The wallet has no profile"),
    },
  });
  return newRouter<AccountEnv>()
    .openapi(getExport, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "export", wallet);
      c.header(
        "Content-Disposition",
        `attachment; filename="firn-profile-${wallet}.json"`,
      );
      return c.json(await exportProfile(deps, wallet), 200);
    })
    .openapi(deleteOwn, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "profile", wallet);
      return c.json(await deleteProfile(deps, wallet, { requestId }), 200);
    });
}
