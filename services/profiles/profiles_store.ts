/** Store of profiles, and of the slugs and accounts that only one profile can have. */
import { withProfile } from "./follows/follow_edges.ts";
import { readEvidence } from "./human_evidence_store.ts";
import { namesOf } from "./socials/social_handles.ts";
import type { Profile, VerifiedSocial } from "./profile.ts";
import { skeletonOf } from "./slugs.ts";
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet, type Decision } from "../platform/kv/commit.ts";
import {
  followerKey,
  prepareFollowerUpdate,
} from "./follows/pending_weight_updates_store.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** The new state of a profile, and its audit entry. */
export interface ProfileChange {
  readonly profile: Profile;
  readonly audit: AuditEntry;
}

/** Result of a change. `slugTaken`, `socialTaken`: another profile has it. */
export type ChangeResult =
  | { readonly kind: "changed"; readonly profile: Profile }
  | { readonly kind: "unchanged"; readonly profile: Profile | null }
  | { readonly kind: "slugTaken" }
  | { readonly kind: "socialTaken"; readonly social: VerifiedSocial };

/** A name that only one profile can have: a slug or a linked account. */
export interface UniqueName {
  readonly key: Deno.KvKey;
  /** Lasting id of the account; null if unknown. */
  readonly id: string | null;
  /** Null for a slug. */
  readonly social: VerifiedSocial | null;
  /** Whether another account may get the same name later. */
  readonly transferable: boolean;
}

/** The profile that holds a name, and the id of the account. */
export interface Holder {
  readonly address: string;
  readonly id: string | null;
}

/** Store of profiles. */
export function profileStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  async function find(address: string): Promise<Profile | null> {
    return (await read<Profile>(keys.profile(address))).value;
  }

  return {
    /** Finds the profile of an address; null if it is unclaimed. */
    find,

    /** Finds the profile with exactly this slug, and its address. */
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
     * Changes or claims a profile together with its unique names. If two profiles
     * want one name at the same time, one of them gets it. `choose` returns the
     * change, or null to keep the profile. It is called again after a conflict.
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
          const { audit } = change;
          const names = await readNames(held, change.profile);
          const taken = names.find((name) => isTaken(name, address));
          if (taken) return refuse(taken);
          const claimed = held === null
            ? prepareFollowerUpdate(
              await kv.get(followerKey(address)),
              address,
              withProfile,
            )
            : null;
          const evidence = change.profile.socials === held?.socials
            ? null
            : await readEvidence(kv, change.profile);
          const profile = evidence === null
            ? change.profile
            : { ...change.profile, spentKinds: evidence.spent };
          return {
            value: { kind: "changed", profile },
            write(atomic) {
              evidence?.check(atomic);
              for (const name of names) putName(atomic, name, address);
              claimed?.(atomic);
              return withAudit(atomic.set(key, profile), address, audit);
            },
          };
        },
      );
    },
  };

  /** Reads the holders of the names that a change takes or releases. */
  async function readNames(
    held: Profile | null,
    next: Profile,
  ): Promise<ReadName[]> {
    const before = listNames(held);
    const after = listNames(next);
    const had = new Set(before.map(keyAndIdOf));
    const has = new Set(after.map(keyOf));
    const changed = [
      ...after.filter((name) => !had.has(keyAndIdOf(name)))
        .map((name) => ({ ...name, wants: true })),
      ...before.filter((name) => !has.has(keyOf(name)))
        .map((name) => ({ ...name, wants: false })),
    ];
    return await Promise.all(changed.map(async (name) => ({
      ...name,
      entry: await kv.get<Holder>(name.key),
    })));
  }
}

/** A name and its current holder. */
interface ReadName extends UniqueName {
  /** False if the profile releases the name. */
  readonly wants: boolean;
  readonly entry: Deno.KvEntryMaybe<Holder>;
}

/** Returns whether another profile holds a wanted name. */
function isTaken(name: ReadName, address: string): boolean {
  const { wants, entry: { value: holder } } = name;
  if (!wants || holder === null || holder.address === address) return false;
  return !canTransfer(name, holder);
}

/**
 * Returns whether a name can be transferred from its holder. A handle can if both
 * account ids are known and differ: the previous account has given it up.
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

/** Lists the unique names of a profile. */
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

const keyOf = ({ key }: UniqueName) => JSON.stringify(key);
/** Includes the account id, which may become known later. */
const keyAndIdOf = ({ key, id }: UniqueName) => JSON.stringify([key, id]);
