/** One profile of an operator's file: put in as far as nothing is there yet. */
import type { ImportLine } from "./profile_import_schema.ts";
import type { ProfilesDeps } from "../deps.ts";
import { Fault } from "../../platform/fault.ts";
import { newProfile, type Profile, type VerifiedSocial } from "../profile.ts";
import { normalizeHandle } from "../socials/social_handles.ts";
import { checkName, checkSlug, slugTaken } from "../profiles.ts";
import { socialTaken } from "../socials/socials.ts";

/** A profile as it was read and checked. */
interface ImportedProfile {
  readonly displayName: string | null;
  readonly slug: string | null;
  readonly paidSlug: boolean;
  readonly premiumMonths: number;
  readonly socials: readonly VerifiedSocial[];
}

/** Returns whether a line says anything beyond whom an address follows. */
export function hasProfileFields({ address: _, follows, ...rest }: ImportLine) {
  return follows === undefined || Object.keys(rest).length > 0;
}

/**
 * Puts a profile in, and claims the address by it. What its owner, or a file
 * before, has written stays: a name, a slug, an account of a kind; months are
 * the greater number. So a file put in again changes nothing. Throws a fault
 * that says what cannot be put in.
 */
export async function importProfile(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  line: ImportLine,
): Promise<void> {
  const { address } = line;
  const at = now().getTime();
  const given = checkLine(line, at);
  const changed = await store.profiles.change(address, (held) => {
    const profile = merge(held, given, at);
    return profile === held ? null : {
      profile,
      audit: { at, event: "profile.import", requestId: null },
    };
  });
  if (changed.kind === "slugTaken") throw slugTaken(given.slug);
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

function checkLine(line: ImportLine, now: number): ImportedProfile {
  const socials = (line.socials ?? []).map(
    ({ kind, handle: text, id = null, verifiedAt }): VerifiedSocial => {
      const handle = normalizeHandle(kind, text);
      if (handle === null) {
        throw refusedLine(`"${text}" is no handle of ${kind}`);
      }
      if (verifiedAt > now) {
        throw refusedLine(`the ${kind} account is verified later than now`);
      }
      return { kind, handle, id, verifiedAt };
    },
  );
  if (new Set(socials.map(({ kind }) => kind)).size < socials.length) {
    throw refusedLine("it has two accounts of one kind");
  }
  if (line.donations?.some(({ at }) => at > now)) {
    throw refusedLine("a donation is from later than now");
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

/** Adds what is given to what is held; the held one itself where that adds nothing. */
function merge(
  held: Profile | null,
  given: ImportedProfile,
  at: number,
): Profile {
  const profile = held ?? newProfile(at);
  const added = given.socials.filter((social) => !has(profile, social));
  const merged: Profile = {
    ...profile,
    displayName: profile.displayName ?? given.displayName,
    slug: profile.slug ?? given.slug,
    paidSlug: profile.paidSlug || given.paidSlug,
    premiumMonths: Math.max(profile.premiumMonths, given.premiumMonths),
    socials: [...profile.socials, ...added],
  };
  const isSame = held !== null && added.length === 0 &&
    merged.displayName === held.displayName && merged.slug === held.slug &&
    merged.paidSlug === held.paidSlug &&
    merged.premiumMonths === held.premiumMonths;
  return isSame ? held : merged;
}

/** Returns whether a profile has an account; throws where it has another one of its kind. */
function has({ socials }: Profile, { kind, id, handle }: VerifiedSocial) {
  const held = socials.find((social) => social.kind === kind);
  if (held === undefined) return false;
  const isSame = held.id !== null && id !== null
    ? held.id === id
    : held.handle === handle;
  if (!isSame) throw refusedLine(`it has another ${kind} account already`);
  return true;
}

/** Returns the fault of a line that cannot be put in. */
export function refusedLine(reason: string): Fault {
  return new Fault(reason, { kind: "badInput" });
}
