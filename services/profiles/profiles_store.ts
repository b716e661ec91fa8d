/** Profiles: a record an address, and the names that are one profile's alone. */
import { withProfile } from "./follows/follow_edges.ts";
import { namesOf } from "./socials/social_handles.ts";
import type { Profile, VerifiedSocial } from "./profile.ts";
import { skeletonOf } from "./slugs.ts";
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet, type Decision } from "../platform/kv/commit.ts";
import { prepareFollowerUpdate } from "./follows/pending_weight_updates_store.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** What a profile is to become, and what its owner's audit trail says of it. */
export interface ProfileChange {
  readonly profile: Profile;
  readonly audit: AuditEntry;
}

/** What became of a change; `taken` names what another profile has. */
export type ChangeResult =
  | { readonly kind: "changed"; readonly profile: Profile }
  | { readonly kind: "unchanged"; readonly profile: Profile | null }
  | { readonly kind: "slugTaken" }
  | { readonly kind: "socialTaken"; readonly social: VerifiedSocial };

/** A name that is one profile's alone: of a slug, or of an account elsewhere. */
export interface UniqueName {
  readonly key: Deno.KvKey;
  /** The lasting id of the account, where that is known. */
  readonly id: string | null;
  /** Null for a slug. */
  readonly social: VerifiedSocial | null;
  /** Whether it may pass from one account to another. */
  readonly transferable: boolean;
}

/** Who has a name, and the account that it is of. */
export interface Holder {
  readonly address: string;
  readonly id: string | null;
}

/** Profiles in a store. */
export function profileStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  async function find(address: string): Promise<Profile | null> {
    return (await read<Profile>(keys.profile(address))).value;
  }

  return {
    /** Finds the profile of an address; null where nobody has claimed it. */
    find,

    /** Finds the profile with a slug, to the letter, and its address. */
    async findBySlug(
      slug: string,
    ): Promise<{ address: string; profile: Profile } | null> {
      const key = keys.slug(skeletonOf(slug));
      const { value: holder } = await kv.get<Holder>(key);
      const profile = holder && await find(holder.address);
      return profile?.slug === slug
        ? { address: holder!.address, profile }
        : null;
    },

    /**
     * Changes a profile, or claims it where there is none, together with the names
     * that are its alone: of two that want one name at the same time, one gets it.
     * `choose` says what it becomes, again after a conflict, and null to leave it.
     */
    change(
      address: string,
      choose: (held: Profile | null) => ProfileChange | null,
    ): Promise<ChangeResult> {
      const key = keys.profile(address);
      return checkAndSet<Profile, ChangeResult>(
        kv,
        key,
        async ({ value: held }) => {
          const change = choose(held);
          if (change === null) {
            return { value: { kind: "unchanged", profile: held } };
          }
          const { profile, audit } = change;
          const names = await readNames(held, profile);
          const taken = names.find((name) => isTaken(name, address));
          if (taken) return refuse(taken);
          const claimed = held === null
            ? await prepareFollowerUpdate(kv, address, withProfile)
            : null;
          return {
            value: { kind: "changed", profile },
            write(atomic) {
              for (const name of names) putName(atomic, name, address);
              claimed?.(atomic);
              return withAudit(atomic.set(key, profile), address, audit);
            },
          };
        },
      );
    },
  };

  /** Reads who has each name that a change takes or gives up. */
  async function readNames(
    held: Profile | null,
    next: Profile,
  ): Promise<ReadName[]> {
    const before = listNames(held);
    const after = listNames(next);
    const had = new Set(before.map(ofAccount));
    const has = new Set(after.map(ofAny));
    const changed = [
      ...after.filter((name) => !had.has(ofAccount(name)))
        .map((name) => ({ ...name, wants: true })),
      ...before.filter((name) => !has.has(ofAny(name)))
        .map((name) => ({ ...name, wants: false })),
    ];
    return await Promise.all(changed.map(async (name) => ({
      ...name,
      entry: await kv.get<Holder>(name.key),
    })));
  }
}

/** A name and who has it. */
interface ReadName extends UniqueName {
  /** False where the profile gives it up. */
  readonly wants: boolean;
  readonly entry: Deno.KvEntryMaybe<Holder>;
}

/** Returns whether a wanted name is another profile's. */
function isTaken(name: ReadName, address: string): boolean {
  const { wants, entry: { value: holder } } = name;
  if (!wants || holder === null || holder.address === address) return false;
  return !canTransfer(name, holder);
}

/**
 * Returns whether a name passes from who has it to another account. A handle does
 * where both accounts are known by their ids, and these differ: it was given up.
 */
export function canTransfer(
  { transferable, id }: UniqueName,
  holder: Holder,
): boolean {
  return transferable && id !== null && holder.id !== null && holder.id !== id;
}

function refuse({ social }: ReadName): Decision<ChangeResult> {
  return {
    value: social ? { kind: "socialTaken", social } : { kind: "slugTaken" },
  };
}

function putName(
  atomic: Deno.AtomicOperation,
  { wants, key, id, entry }: ReadName,
  address: string,
): void {
  if (wants) atomic.check(entry).set(key, { address, id } satisfies Holder);
  else if (entry.value?.address === address) atomic.check(entry).delete(key);
}

/** Lists the names that a profile has. */
export function listNames(profile: Profile | null): UniqueName[] {
  if (profile === null) return [];
  const { slug, socials } = profile;
  const names: UniqueName[] = socials.flatMap((social) => {
    const { id, handle } = namesOf(social);
    const common = { id: social.id, social };
    return [
      ...(id === null ? [] : [{
        ...common,
        key: keys.socialAccount(social.kind, id),
        transferable: false,
      }]),
      {
        ...common,
        key: keys.socialAccount(social.kind, handle),
        transferable: true,
      },
    ];
  });
  if (slug !== null) {
    const key = keys.slug(skeletonOf(slug));
    names.push({ key, id: null, social: null, transferable: false });
  }
  return names;
}

const ofAny = ({ key }: UniqueName) => JSON.stringify(key);
/** The account of a name may become known later. */
const ofAccount = ({ key, id }: UniqueName) => JSON.stringify([key, id]);
