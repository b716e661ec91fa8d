/** Normalization of account handles. */
import type { SocialKind } from "../../model/score_terms_schema.ts";
import type { VerifiedSocial } from "../profile.ts";

/** Patterns of handles in lower case without a leading @. */
const HANDLES: Readonly<Record<SocialKind, RegExp>> = {
  x: /^[a-z0-9_]{1,15}$/,
  github: /^[a-z0-9](-?[a-z0-9]){0,38}(_[a-z0-9]+)?$/,
  farcaster: /^[a-z0-9][a-z0-9-]{0,15}(\.eth)?$/,
  domain: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
  discord: /^[a-z0-9_.]{2,32}$/,
  telegram: /^[a-z][a-z0-9_]{3,31}$/,
  email: /^[^\s@"(),:;<>[\\\]]{1,64}@([a-z0-9-]+\.)+[a-z0-9-]{2,}$/,
};

/** Longest handle: a domain name or an email address. */
const MAX_CHARACTERS = 254;

/** Returns the normalized handle; null if it is invalid for its kind. */
export function normalizeHandle(
  kind: SocialKind,
  text: string,
): string | null {
  const handle = text.trim().replace(/^@/, "").toLowerCase();
  const fits = handle.length <= MAX_CHARACTERS && HANDLES[kind].test(handle);
  return fits ? handle : null;
}

/**
 * Returns the unique names of an account: its lasting id if known, and its handle.
 * Email addresses lose their +tag, which does not change the mailbox.
 */
export function namesOf(
  { kind, id, handle }: VerifiedSocial,
): { readonly id: string | null; readonly handle: string } {
  const plain = kind === "email" ? handle.replace(/\+[^@]*(?=@)/, "") : handle;
  return { id: id === null ? null : `#${id}`, handle: `@${plain}` };
}
