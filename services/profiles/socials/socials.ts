/** Linking and unlinking of verified accounts. */
import type { SocialKind } from "../../model/score_terms_schema.ts";
import type { ProfilesDeps } from "../deps.ts";
import { Fault } from "../../platform/fault.ts";
import type { Profile, VerifiedSocial } from "../profile.ts";
import { grantByStoredSignals } from "../verified_humans.ts";

/** Throws a fault unless the wallet has a profile without an account of this kind. */
export async function requireLinkable(
  { store }: Pick<ProfilesDeps, "store">,
  wallet: string,
  kind: SocialKind,
): Promise<void> {
  checkLinkable(await store.profiles.find(wallet), kind);
}

/** Links a verified account to a profile, and grants a Verified Human number if it is due. */
export async function linkSocial(
  deps: Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store" | "upstream">,
  wallet: string,
  { requestId, ...social }: VerifiedSocial & { readonly requestId: string },
): Promise<void> {
  const { kind, handle, verifiedAt: at } = social;
  const changed = await deps.store.profiles.change(wallet, (held) => {
    const profile = checkLinkable(held, kind);
    return {
      profile: { ...profile, socials: [...profile.socials, social] },
      audit: { at, event: "social.link", requestId, kind, handle },
    };
  });
  if (changed.kind === "socialTaken") throw socialTaken(kind);
  if (changed.kind !== "changed") return;
  const { profile } = changed;
  await grantByStoredSignals(deps, wallet, { profile, requestId });
}

/** Unlinks an account, which others may link then. A Verified Human number is kept. */
export async function unlinkSocial(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  wallet: string,
  { kind, requestId }: { kind: SocialKind; requestId: string },
): Promise<void> {
  const at = now().getTime();
  await store.profiles.change(wallet, (held) => {
    const social = held?.socials.find((social) => social.kind === kind);
    if (!held || !social) {
      throw new Fault(`Cannot unlink ${kind}: no such account is linked`, {
        kind: "unknownSocial",
        social: kind,
      });
    }
    const socials = held.socials.filter((other) => other !== social);
    const { handle } = social;
    return {
      profile: { ...held, socials },
      audit: { at, event: "social.unlink", requestId, kind, handle },
    };
  });
}

/** Returns the fault for an account that another profile has. */
export function socialTaken(kind: SocialKind): Fault {
  return new Fault(
    `Cannot link this ${kind} account: another profile has it; unlink it there first`,
    { kind: "socialTaken", social: kind },
  );
}

function checkLinkable(profile: Profile | null, kind: SocialKind): Profile {
  if (profile === null) {
    throw new Fault(
      "Cannot link an account: the wallet has no profile; save one first",
      { kind: "profileRequired" },
    );
  }
  if (profile.socials.some((social) => social.kind === kind)) {
    throw new Fault(
      `Cannot link another ${kind} account: one is already linked; unlink it first`,
      { kind: "socialHeld", social: kind },
    );
  }
  return profile;
}
