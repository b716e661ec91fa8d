/** Store rules of profiles, unique names, Verified Human numbers, donations and imports. */
import { type DonationFlows, MAX_REMEMBERED } from "./donation_credit.ts";
import type { HumanEvidence } from "./human_evidence_store.ts";
import type { GraphRecord } from "./follows/follow_edges.ts";
import { isClaimed, type StoredProfile } from "./profile.ts";
import { skeletonOf } from "./slugs.ts";
import { namesOf } from "./socials/social_handles.ts";
import type { DonationRecord } from "./donations_store.ts";
import * as keys from "./keys.ts";
import type { ImportState } from "./import/profile_imports_store.ts";
import type { ProofRecord } from "./proofs/human_proofs.ts";
import { canTransfer, type Holder, listNames } from "./profiles_store.ts";
import {
  ANY,
  ANY_NUMBER,
  areDistinct,
  numberAt,
  type Rule,
  textAt,
} from "../platform/kv/store_rule.ts";

const names: Rule<StoredProfile> = {
  name: "profile-names",
  of: keys.profile(ANY),
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
  of: keys.profile(ANY),
  invariant: "a profile has at most one account per kind",
  holds: ({ value }) =>
    !isClaimed(value) || areDistinct(value.socials.map(({ kind }) => kind)),
};

const known: Rule<StoredProfile> = {
  name: "profile-known",
  of: keys.profile(ANY),
  invariant: "the follow graph marks the claimed addresses and no others",
  async holds({ key, value }, { find }) {
    const record = await find<GraphRecord>(keys.graph(textAt(key, 1)));
    return (record?.known?.claimed ?? false) === isClaimed(value);
  },
};

const numbered: Rule<StoredProfile> = {
  name: "profile-number",
  of: keys.profile(ANY),
  invariant: "the Verified Human number of a profile is indexed to it",
  async holds({ key, value: { verifiedHuman } }, { find }) {
    return verifiedHuman === null ||
      await find<string>(keys.human(verifiedHuman)) === key[1];
  },
};

const slug: Rule<Holder> = {
  name: "slug",
  of: keys.slug(ANY),
  invariant: "the holder of a slug has it in the profile",
  async holds({ key, value: { address } }, { find }) {
    const profile = await find<StoredProfile>(keys.profile(address));
    return isClaimed(profile) && profile.slug !== null &&
      skeletonOf(profile.slug) === key[1];
  },
};

const social: Rule<Holder> = {
  name: "account",
  of: keys.socialAccount(ANY, ANY),
  invariant: "the holder of an account has it in the profile",
  async holds({ key: [, kind, name], value: { address } }, { find }) {
    const profile = await find<StoredProfile>(keys.profile(address));
    const held = isClaimed(profile)
      ? profile.socials.find((social) => social.kind === kind)
      : undefined;
    if (held === undefined) return false;
    const { id, handle } = namesOf(held);
    return name === id || name === handle;
  },
};

const human: Rule<string> = {
  name: "human",
  of: keys.human(ANY_NUMBER),
  invariant: "a Verified Human number is counted and in its profile",
  async holds({ key, value: address }, { find }) {
    const number = numberAt(key, 1);
    const profile = await find<StoredProfile>(keys.profile(address));
    const count = await find<number>(keys.humanCount());
    return profile?.verifiedHuman === number && number <= (count ?? 0);
  },
};

const humanCount: Rule<number> = {
  name: "human-count",
  of: keys.humanCount(),
  invariant:
    "every Verified Human number up to the counter exists, except those that imports skipped",
  async holds({ value: count }, { list }) {
    let last = 0;
    for await (const { key } of list<string>(keys.humans())) {
      const number = numberAt(key, 1);
      if (number > count) continue;
      if ((number - last - 1) % keys.SKIPPED_NUMBERS !== 0) return false;
      last = number;
    }
    return (count - last) % keys.SKIPPED_NUMBERS === 0;
  },
};

const humanEvidence: Rule<HumanEvidence> = {
  name: "human-evidence",
  of: keys.humanEvidence(ANY, ANY),
  invariant: "a number that rests on an account exists",
  holds: async ({ value: { number } }, { find }) =>
    await find<string>(keys.human(number)) !== null,
};

const humanProofs: Rule<ProofRecord> = {
  name: "human-proofs",
  of: keys.humanProofs(ANY),
  invariant: "a proof was read at some time, and its strength is from 0 to 1",
  holds: ({ value: { reads } }) =>
    Object.values(reads).every(({ readAt, proof }) =>
      proof === null ||
      readAt !== null && proof.strength >= 0 && proof.strength <= 1
    ),
};

const donation: Rule<DonationRecord> = {
  name: "donation",
  of: keys.donation(ANY, ANY, ANY),
  invariant:
    "the counted part of a donation is at most its amount, and the profile of a wallet that gave to itself says so",
  async holds({ key, value: { amount, counted } }, { find }) {
    const [from, to] = [textAt(key, 2), textAt(key, 3)];
    const giver = await find<StoredProfile>(keys.profile(from));
    if (counted < 0n || counted > amount) return false;
    // Nothing remains of a deleted profile whose donations no longer count.
    return from === to
      ? giver?.selfDonated === true && counted === 0n
      : (giver?.donated ?? 0n) >= 0n;
  },
};

const flows: Rule<DonationFlows> = {
  name: "donation-flows",
  of: keys.donationFlows(ANY),
  invariant:
    "remembered donations are positive and sorted by time, and what they count is in the profile",
  async holds({ key, value: { given, received } }, { find }) {
    const profile = await find<StoredProfile>(keys.profile(textAt(key, 1)));
    const counted = given.reduce((sum, { amount }) => sum + amount, 0n);
    return counted <= (profile?.donated ?? 0n) &&
      [given, received].every((entries) =>
        entries.length <= MAX_REMEMBERED &&
        entries.every(({ at, amount }, nth) =>
          amount > 0n && at >= (entries[nth - 1]?.at ?? at)
        )
      );
  },
};

const profileImport: Rule<ImportState> = {
  name: "profile-import",
  of: keys.profileImport(ANY),
  invariant: "an import rejected no more lines than it has processed",
  holds: ({ value: { lines, refusedCount, refused } }) =>
    refusedCount <= lines && refused.length <= refusedCount,
};

/** The store rules of profiles. */
export const PROFILE_RULES: readonly Rule<never>[] = [
  names,
  oneOfAKind,
  known,
  numbered,
  slug,
  social,
  human,
  humanCount,
  humanEvidence,
  humanProofs,
  donation,
  flows,
  profileImport,
];
