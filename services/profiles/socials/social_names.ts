/** Names of linked accounts: handles, and registered domains. */
import type { SocialKind } from "../../model/score_terms_schema.ts";
import type { VerifiedSocial } from "../profile.ts";
import { invalidParameter } from "../../platform/fault.ts";

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

/** What a domain has to be. */
const EXPECTED = "a registered domain without a subdomain, such as example.com";

/**
 * Returns a domain in lower case and Punycode (RFC 3492). Throws a fault for
 * subdomains, public suffixes, IP addresses and local names. Only ICANN suffixes
 * count: anybody gets a name under a private one (pages hosts, dynamic DNS) free.
 */
export async function checkDomain(text: string): Promise<string> {
  const { parse } = await import("tldts");
  const given = text.trim().replace(/\.$/, "");
  const isName = /^[^\s\p{Cc}\/\\:@?#%[\]<>]{1,253}$/u.test(given);
  // A URL normalizes its host, including IPv4 addresses in other notations.
  const host = isName ? URL.parse(`http://${given}`)?.hostname ?? "" : "";
  const { domain, isIp, isIcann, isPrivate, publicSuffix } = parse(host, {
    allowPrivateDomains: true,
  });
  if (isPrivate === true) {
    const expected =
      `${EXPECTED}, and none under the private suffix ${publicSuffix}`;
    throw invalidParameter("domain", given, expected);
  }
  const isRegistered = !isIp && isIcann === true;
  if (!isRegistered || domain === null || domain !== host) {
    const expected = isRegistered && domain !== null
      ? `a registered domain without a subdomain: ${domain}`
      : EXPECTED;
    throw invalidParameter("domain", given, expected);
  }
  return domain;
}
