/** The answers of every endpoint that changes the own profile. */
import { OwnProfile } from "../../services/profiles/profiles_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { json } from "../http/router.ts";
import { ACCOUNT_ERRORS } from "../accounts/session.ts";

/** Describes the answers of an endpoint that changes the own profile. */
export const PROFILE_ANSWERS = {
  200: json(OwnProfile, "The profile as it is now"),
  ...ACCOUNT_ERRORS,
  429: json(ErrorBody, "Too many changes; wait as long as Retry-After says"),
};
