/** Import of one profile. Existing data is kept. */
import type { ImportLine } from "./profile_import_schema.ts";
import type { ProfilesDeps } from "../deps.ts";
import { Fault } from "../../platform/fault.ts";
import { newProfile, type Profile, type VerifiedSocial } from "../profile.ts";
import { checkDomain } from "../socials/domain_names.ts";
import { normalizeHandle } from "../socials/social_handles.ts";
import { checkName, checkSlug, slugTaken } from "../profiles.ts";
import { socialTaken } from "../socials/socials.ts";

/** The checked profile fields of a line. */
interface ImportedProfile {
  readonly displayName: string | null;
  readonly slug: string | null;
  readonly paidSlug: boolean;
  readonly premiumMonths: number;
  readonly socials: readonly VerifiedSocial[];
}

/** Returns whether a line has more than an address and its follows. */
export function hasProfileFields({ address: _, follows, ...rest }: ImportLine) {
  return follows === undefined || Object.keys(rest).length > 0;
}

/**
 * Imports a profile and claims its address. An existing name, slug or account is
 * kept, and the larger number of months wins, so an import can be repeated.
 * Throws a fault with the reason if the line is rejected.
 */
export async function importProfile(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  line: ImportLine,
): Promise<void> {
  const { address } = line;
  const at = now().getTime();
  const imported = await checkLine(line, at);
  const changed = await store.profiles.change(address, (held) => {
    const profile = merge(held, imported, at);
    return profile === held ? null : {
      profile,
      audit: { at, event: "profile.import", requestId: null },
    };
  });
  if (changed.kind === "slugTaken") throw slugTaken(imported.slug);
  if (changed.kind === "socialTaken") throw socialTaken(changed.social.kind);
  for (const { to, usdc: amount, ...moved } of line.donations ?? []) {
    const recorded = await store.donations.record({
      ...moved,
      from: address,
      to,
      amount,
    }, { at, requestId: null });
    if (recorded.kind === "used" && recorded.donation.amount !== amount) {
      throw refusedLine(
        `the donation to ${to} is recorded with another amount`,
      );
    }
  }
  if (line.verifiedHuman) {
    await store.humans.grant(address, { at, requestId: null });
  }
}

async function checkLine(
  line: ImportLine,
  now: number,
): Promise<ImportedProfile> {
  const socials = (line.socials ?? []).map(
    ({ kind, handle: text, id = null, verifiedAt }): VerifiedSocial => {
      const handle = normalizeHandle(kind, text);
      if (handle === null) {
        throw refusedLine(`invalid ${kind} handle "${text}"`);
      }
      if (verifiedAt > now) {
        throw refusedLine(
          `the ${kind} account has a verification time in the future`,
        );
      }
      return { kind, handle, id, verifiedAt };
    },
  );
  for (const { kind, handle } of socials) {
    if (kind === "domain") await checkDomain(handle);
  }
  if (new Set(socials.map(({ kind }) => kind)).size < socials.length) {
    throw refusedLine("the line has two accounts of one kind");
  }
  if (line.donations?.some(({ at }) => at > now)) {
    throw refusedLine("a donation has a time in the future");
  }
  const { displayName, slug, paidSlug = false, premiumMonths = 0 } = line;
  return {
    displayName: displayName === undefined ? null : checkName(displayName),
    slug: slug === undefined ? null : checkSlug(slug),
    paidSlug,
    premiumMonths,
    socials,
  };
}

/** Merges imported fields into a profile. Returns the same object if nothing changes. */
function merge(
  held: Profile | null,
  imported: ImportedProfile,
  at: number,
): Profile {
  const profile = held ?? newProfile(at);
  const added = imported.socials.filter((social) => !has(profile, social));
  // A slug that was chosen after an import is not the one that it said was paid for.
  const boughtSlug = profile.boughtSlug ??
    (imported.paidSlug
      ? imported.slug ?? (profile.paidSlug ? null : profile.slug)
      : null);
  const merged: Profile = {
    ...profile,
    displayName: profile.displayName ?? imported.displayName,
    slug: profile.slug ?? imported.slug,
    paidSlug: profile.paidSlug || imported.paidSlug,
    ...boughtSlug === null ? {} : { boughtSlug },
    premiumMonths: Math.max(profile.premiumMonths, imported.premiumMonths),
    socials: [...profile.socials, ...added],
  };
  const isSame = held !== null && added.length === 0 &&
    merged.displayName === held.displayName && merged.slug === held.slug &&
    merged.paidSlug === held.paidSlug &&
    merged.boughtSlug === held.boughtSlug &&
    merged.premiumMonths === held.premiumMonths;
  return isSame ? held : merged;
}

/** Returns whether a profile has an account; throws if it has a different one of its kind. */
function has({ socials }: Profile, { kind, id, handle }: VerifiedSocial) {
  const held = socials.find((social) => social.kind === kind);
  if (held === undefined) return false;
  const isSame = held.id !== null && id !== null
    ? held.id === id
    : held.handle === handle;
  if (!isSame) {
    throw refusedLine(`the profile already has another ${kind} account`);
  }
  return true;
}

/** Returns the fault for a rejected line. */
export function refusedLine(reason: string): Fault {
  return new Fault(reason, { kind: "badInput" });
}
