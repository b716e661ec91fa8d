/**
 * Store of profiles, of the slugs and accounts that only one profile can have, of the
 * accounts that earned a Verified Human number (an account earns one number, ever), and
 * of the progress of imports.
 */
import { type GraphRecord, withProfile } from "./follows/follow_edges.ts";
import { namesOf, skeletonOf } from "./names.ts";
import {
  isClaimed,
  type Profile,
  remainsOf,
  type StoredProfile,
  type VerifiedSocial,
  withRemains,
} from "./profile.ts";
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import {
  graphKeys,
  prepareFollowerUpdate,
  prepareLeaving,
} from "./follows/pending_follows_store.ts";
import { domainClaimsKey } from "./social_proofs_store.ts";
import {
  ANY,
  areDistinct,
  type Rule,
  type StoredRecords,
  textAt,
} from "../platform/kv/store_rule.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";
import type { SocialKind } from "../model/score_terms_schema.ts";

/** Returns the key of the profile of an address. */
export const profileKey = (address: string) => ["profiles", address];

/** Keys. */
const keys = {
  /** Holder of a slug, by its skeleton. */
  slug: (skeleton: string) => ["slugs", skeleton],
  /** Holder of a linked account, by its id or its handle. */
  socialAccount: (kind: string, name: string) => ["socials", kind, name],
  /** Progress of a profile import, by the hash of the file. */
  profileImport: (sha256: string) => ["profile_imports", sha256],
};

/** The new state of a profile, and its audit entry. */
interface ProfileChange {
  readonly profile: Profile;
  readonly audit: AuditEntry;
}

/** Result of a change. `slugTaken`, `socialTaken`: another profile has it. */
type ChangeResult =
  | { readonly kind: "changed"; readonly profile: Profile }
  | { readonly kind: "unchanged"; readonly profile: Profile | null }
  | { readonly kind: "slugTaken" }
  | { readonly kind: "socialTaken"; readonly social: VerifiedSocial };

/** A name that only one profile can have: a slug or a linked account. */
interface UniqueName {
  readonly key: Deno.KvKey;
  /** Lasting id of the account; null if unknown. */
  readonly id: string | null;
  /** Null for a slug. */
  readonly social: VerifiedSocial | null;
  /** Whether another account may get the same name later. */
  readonly transferable: boolean;
}

/** The profile that holds a name, and the id of the account. */
interface Holder {
  readonly address: string;
  readonly id: string | null;
}

/**
 * Maximum number of pending domain proofs that a deletion removes; the others expire.
 */
const MAX_CLAIMS = 100;

/** Store of profiles. */
export function profileStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  async function findStored(address: string): Promise<StoredProfile | null> {
    return (await read<StoredProfile>(profileKey(address))).value;
  }

  async function find(address: string): Promise<Profile | null> {
    const stored = await findStored(address);
    return isClaimed(stored) ? stored : null;
  }

  return {
    /** Finds the profile of an address; null if it is unclaimed. */
    find,

    /** Finds the profile of an address, or what remains of a deleted one; null if there is neither. */
    findStored,

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
      const key = profileKey(address);
      return checkAndSet<StoredProfile, ChangeResult>(
        kv,
        key,
        async ({ value: stored }) => {
          const held = isClaimed(stored) ? stored : null;
          const change = choose(held);
          if (change === null) {
            return { value: { kind: "unchanged", profile: held } };
          }
          const { audit } = change;
          const next = stored === null || isClaimed(stored)
            ? change.profile
            : withRemains(change.profile, stored);
          const names = await readNames(held, next);
          const taken = names.find((name) => isTaken(name, address));
          if (taken?.social) {
            return { value: { kind: "socialTaken", social: taken.social } };
          }
          if (taken) return { value: { kind: "slugTaken" } };
          const claimed = held === null
            ? prepareFollowerUpdate(
              await kv.get(graphKeys.graph(address)),
              address,
              withProfile,
            )
            : null;
          const evidence = next.socials === held?.socials
            ? null
            : await readEvidence(kv, next);
          const profile = evidence === null
            ? next
            : { ...next, spentKinds: evidence.spent };
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

    /**
     * Deletes a profile with its names, accounts and pending proofs, and marks its
     * follows for removal. What it earned and paid remains. False if it is unclaimed.
     */
    delete(
      address: string,
      { at, requestId }: Pick<AuditEntry, "at" | "requestId">,
    ): Promise<boolean> {
      const key = profileKey(address);
      return checkAndSet<StoredProfile, boolean>(
        kv,
        key,
        async ({ value: held }) => {
          if (!isClaimed(held)) return { value: false };
          const names = await readNames(held, null);
          const leave = prepareLeaving(
            await kv.get(graphKeys.graph(address)),
            address,
          );
          const claims = await Array.fromAsync(
            kv.list({ prefix: domainClaimsKey(address) }, {
              limit: MAX_CLAIMS,
            }),
          );
          const remains = remainsOf(held);
          return {
            value: true,
            write(atomic) {
              for (const name of names) putName(atomic, name, address);
              for (const claim of claims) atomic.delete(claim.key);
              leave(atomic);
              if (remains === null) atomic.delete(key);
              else atomic.set(key, remains);
              const audit = { at, requestId, event: "profile.delete" } as const;
              return withAudit(atomic, address, audit);
            },
          };
        },
      );
    },

    /** Hides the names and links of a profile from others, or shows them again. False if it is unclaimed. */
    setHidden(
      address: string,
      isHidden: boolean,
      at: number,
    ): Promise<boolean> {
      const key = profileKey(address);
      return checkAndSet<StoredProfile, boolean>(kv, key, ({ value: held }) => {
        if (!isClaimed(held)) return { value: false };
        const { hiddenAt, ...shown } = held;
        if ((hiddenAt !== undefined) === isHidden) return { value: true };
        const profile = isHidden ? { ...shown, hiddenAt: at } : shown;
        const event = isHidden ? "profile.hide" : "profile.show";
        const audit = { at, event, requestId: null } as const;
        return {
          value: true,
          write: (atomic) =>
            withAudit(atomic.set(key, profile), address, audit),
        };
      });
    },
  };

  /** Reads the holders of the names that a change takes or releases. */
  async function readNames(
    held: Profile | null,
    next: Profile | null,
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

/** Store of profiles. */
export type ProfileStore = ReturnType<typeof profileStore>;

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
function canTransfer(
  { transferable, id }: UniqueName,
  holder: Holder,
): boolean {
  return transferable && id !== null && holder.id !== null && holder.id !== id;
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
function listNames(profile: Profile | null): UniqueName[] {
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

const names: Rule<StoredProfile> = {
  name: "profile-names",
  of: profileKey(ANY),
  invariant:
    "the slug and the accounts of a profile are indexed to it, except handles that another account has taken over",
  async holds({ key, value }, { find }) {
    const address = textAt(key, 1);
    const all = await Promise.all(
      listNames(isClaimed(value) ? value : null).map(async (name) => {
        const holder = await find<Holder>(name.key);
        // Another account may have taken a handle over, and been unlinked since.
        if (holder === null) return name.transferable && name.id !== null;
        return holder.address === address || canTransfer(name, holder);
      }),
    );
    return all.every(Boolean);
  },
};

const oneOfAKind: Rule<StoredProfile> = {
  name: "profile-accounts",
  of: profileKey(ANY),
  invariant: "a profile has at most one account per kind",
  holds: ({ value }) =>
    !isClaimed(value) || areDistinct(value.socials.map(({ kind }) => kind)),
};

const known: Rule<StoredProfile> = {
  name: "profile-known",
  of: profileKey(ANY),
  invariant: "the follow graph marks the claimed addresses and no others",
  async holds({ key, value }, { find }) {
    const record = await find<GraphRecord>(graphKeys.graph(textAt(key, 1)));
    return (record?.known?.claimed ?? false) === isClaimed(value);
  },
};

const slug: Rule<Holder> = {
  name: "slug",
  of: keys.slug(ANY),
  invariant: "the holder of a slug has it in the profile",
  async holds({ key, value: { address } }, { find }) {
    const profile = await find<StoredProfile>(profileKey(address));
    return isClaimed(profile) && profile.slug !== null &&
      skeletonOf(profile.slug) === key[1];
  },
};

const social: Rule<Holder> = {
  name: "account",
  of: keys.socialAccount(ANY, ANY),
  invariant: "the holder of an account has it in the profile",
  async holds({ key: [, kind, name], value: { address } }, { find }) {
    const profile = await find<StoredProfile>(profileKey(address));
    const held = isClaimed(profile)
      ? profile.socials.find((social) => social.kind === kind)
      : undefined;
    if (held === undefined) return false;
    const { id, handle } = namesOf(held);
    return name === id || name === handle;
  },
};

/** Returns the key of the number that rests on a linked account, by the account's id or its handle. */
export const humanEvidenceKey = (
  kind: string,
  name: string,
) => ["human_evidence", kind, name];

/** The number that rests on an account, stored under each of its names. */
export interface HumanEvidence {
  readonly number: number;
  /** Lasting id of the account; null if unknown. */
  readonly id: string | null;
}

type EvidenceEntry = Deno.KvEntryMaybe<HumanEvidence>;

/** Linked accounts, and the stored evidence under their names. */
interface ReadEvidence {
  /** Kinds of the accounts that another number rests on. */
  readonly spent: readonly SocialKind[];
  /** Checks in a transaction that the evidence is unchanged. */
  readonly check: (atomic: Deno.AtomicOperation) => void;
  /** Records that a number rests on the accounts that are not spent. */
  readonly record: (atomic: Deno.AtomicOperation, number: number) => void;
}

/** Reads which of a profile's accounts are evidence for another number than its own. */
export async function readEvidence(
  kv: Deno.Kv,
  { socials, verifiedHuman }: {
    readonly socials: readonly VerifiedSocial[];
    readonly verifiedHuman: number | null;
  },
): Promise<ReadEvidence> {
  const accounts = await Promise.all(socials.map(async (social) => {
    const { id, handle } = namesOf(social);
    const names = id === null ? [handle] : [id, handle];
    const entries = await kv.getMany<HumanEvidence[]>(
      names.map((name) => humanEvidenceKey(social.kind, name)),
    );
    const isSpent = entries.some(({ value }) =>
      value !== null && value.number !== verifiedHuman &&
      isSameAccount(value, social)
    );
    return { social, entries, isSpent };
  }));
  return {
    spent: accounts.filter(({ isSpent }) => isSpent)
      .map(({ social: { kind } }) => kind),
    check(atomic) {
      for (const { entries } of accounts) {
        for (const entry of entries) atomic.check(entry);
      }
    },
    record(atomic, number) {
      for (const { social: { id }, entries, isSpent } of accounts) {
        if (isSpent) continue;
        const evidence: HumanEvidence = { number, id };
        for (const { key } of entries as EvidenceEntry[]) {
          atomic.set(key, evidence);
        }
      }
    },
  };
}

/** A handle can pass to another account, so if both ids are known, they decide. */
function isSameAccount(evidence: HumanEvidence, { id }: VerifiedSocial) {
  return evidence.id === null || id === null || evidence.id === id;
}

/** A rejected line. */
interface RefusedLine {
  readonly line: number;
  readonly reason: string;
}

/** Progress of an import, and its rejected lines. */
interface ImportState {
  /** Number of processed lines. */
  readonly lines: number;
  readonly refusedCount: number;
  /** The first rejected lines. */
  readonly refused: readonly RefusedLine[];
}

/** Store of imports in progress. */
export function profileImportStore(kv: Deno.Kv) {
  return {
    /** Finds the progress of a file by its hash; null if no import is in progress. */
    async find(sha256: string): Promise<ImportState | null> {
      return (await kv.get<ImportState>(keys.profileImport(sha256)))
        .value;
    },

    /** Stores the progress of a file. */
    async put(sha256: string, state: ImportState): Promise<void> {
      await kv.set(keys.profileImport(sha256), state);
    },

    /** Removes the progress of a finished file. */
    async end(sha256: string): Promise<void> {
      await kv.delete(keys.profileImport(sha256));
    },
  };
}

const profileImport: Rule<ImportState> = {
  name: "profile-import",
  of: keys.profileImport(ANY),
  invariant: "an import rejected no more lines than it has processed",
  holds: ({ value: { lines, refusedCount, refused } }) =>
    refusedCount <= lines && refused.length <= refusedCount,
};

/** The collections and the rules. */
export const PROFILE_RECORDS: StoredRecords = {
  collections: {
    profile_imports: {},
    // An older version counted reports of profiles. Nothing reads what is left of
    // them, so a backup leaves them out and an import skips them.
    profile_reports: { isLeftOut: true, isUnchecked: true },
    profiles: {},
    slugs: {},
    socials: {},
  },
  rules: [names, oneOfAKind, known, slug, social, profileImport],
};
