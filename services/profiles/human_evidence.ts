/** Which linked accounts are evidence for a Verified Human number. */
import type { SocialKind } from "../model/score_terms_schema.ts";

/** Required kinds of verified accounts. */
const MIN_KINDS = 2;

/** Returns whether a profile has verified accounts of enough kinds that earned no other number. */
export function hasEvidence({ socials, spentKinds }: {
  readonly socials: readonly { readonly kind: SocialKind }[];
  readonly spentKinds: readonly SocialKind[];
}): boolean {
  const kinds = new Set(socials.map(({ kind }) => kind));
  return kinds.difference(new Set(spentKinds)).size >= MIN_KINDS;
}
