/** Names of profiles: slugs and those that look alike, display names, and the handles and domains of linked accounts. */
import { SLUG_LENGTH } from "../platform/wire_schema.ts";
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { VerifiedSocial } from "./profile.ts";
import { invalidParameter } from "../platform/fault.ts";

const { least, most } = SLUG_LENGTH;

/** The rule for slugs, in words. */
const SLUG_RULE =
  `${least} to ${most} of a-z, 0-9 and -, without - at the start, at the end or twice in a row`;

/**
 * Characters that look alike: Unicode's confusables (UTS 39, section 4) for a-z
 * and 0-9 in lower case, and pairs of letters that look like one. Hyphens are
 * easily overlooked, so they are ignored.
 */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/-/g, ""],
  [/0/g, "o"],
  [/[1i]/g, "l"],
  [/m/g, "rn"],
  [/vv/g, "w"],
];

/** Returns the skeleton of a slug. Slugs with equal skeletons look alike. */
export function skeletonOf(slug: string): string {
  return LOOK_ALIKES.reduce(
    (text, [pattern, same]) => text.replaceAll(pattern, same),
    slug,
  );
}

/**
 * Names of the networks and of those who speak for them. A slug may not be made of
 * these words alone, and a display name with one of them is marked.
 */
const PROTECTED_NAMES = [
  "admin",
  "administrator",
  "avalabs",
  "avalanche",
  "avax",
  "firn",
  "foundation",
  "moderator",
  "official",
  "staff",
  "support",
  "team",
  "verified",
];

/** Slugs that are reserved, each as a whole. */
const RESERVED_SLUGS = `
  about account admin administrator api attestation ava-labs avalanche avax
  badge billing c-chain chain chains chart circle contact dashboard demo
  developer docs explorer faq firn foundation health help home humans legal
  llms login logout mail metrics mod moderator nobody null official operator
  owner payments postmaster press pricing privacy profile profiles public root
  score scores security settings signin signup staff static status subnet
  support system team terms tools treasury undefined usdc verified verify
  wallet webmaster well-known www
`.trim().split(/\s+/);

const RESERVED_SKELETONS: ReadonlyMap<string, string> = new Map(
  RESERVED_SLUGS.map((name) => [skeletonOf(name), name]),
);

/** Matches skeletons that consist of protected names and a number: `firn-support-2`. */
const PROTECTED = new RegExp(
  `^(?:${PROTECTED_NAMES.map(skeletonOf).join("|")})+[0-9lo]*$`,
);

/** Returns what is expected of a slug if a text is not one; else null. */
export function slugProblem(text: string): string | null {
  const foreign = /[^a-z0-9-]/u.exec(text)?.[0];
  if (foreign !== undefined) {
    return `${SLUG_RULE}; found ${nameCharacter(foreign)}`;
  }
  const fits = text.length >= least && text.length <= most;
  if (!fits || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) {
    return SLUG_RULE;
  }
  if (text.startsWith("0x")) {
    return "a slug that does not start with 0x, as addresses do";
  }
  const skeleton = skeletonOf(text);
  const reserved = RESERVED_SKELETONS.get(skeleton);
  if (reserved === undefined) {
    return PROTECTED.test(skeleton)
      ? "a slug that does not consist of reserved names"
      : null;
  }
  return reserved === text
    ? "a slug that is not reserved"
    : `a slug that does not look like the reserved ${reserved}`;
}

/** Returns a slug; throws a fault if it is invalid. */
export function checkSlug(text: string): string {
  const problem = slugProblem(text);
  if (problem !== null) throw invalidParameter("slug", text, problem);
  return text;
}

/** Formats a character with its code point, since characters can look alike. */
function nameCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase();
  const isShown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  return `${isShown ? `"${character}" ` : ""}(U+${code.padStart(4, "0")})`;
}

/** Returns a display name in Unicode normalization form C (UAX 15); throws a fault if it is invalid. */
export function checkName(text: string): string {
  const name = text.normalize("NFC");
  const problem = nameProblem(name);
  if (problem !== null) throw invalidParameter("displayName", text, problem);
  return name;
}

/** Maximum length of a display name, in code points of its NFC form. */
const MAX_NAME_CHARACTERS = 40;

/**
 * Characters that are invisible or change how others are shown: controls,
 * direction marks, zero-width, private-use and unassigned characters, and spaces
 * other than U+0020. U+2800 is a blank symbol.
 */
const INVISIBLE =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\u0020]]/v;

/** The variation selector that shows a pictograph in colour. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\uFE0F/gu;

/** More combining marks on one letter than any script uses. */
const STACKED_MARKS = /\p{M}{5}/u;

/** Returns what is expected of a display name if a composed text is not one; else null. */
export function nameProblem(text: string): string | null {
  const invisible = INVISIBLE.exec(text.replace(EMOJI_STYLE, ""))?.[0];
  if (invisible !== undefined) {
    return `visible characters only, without ${nameCharacter(invisible)}`;
  }
  const { length } = [...text];
  if (length < 1 || length > MAX_NAME_CHARACTERS) {
    return `1 to ${MAX_NAME_CHARACTERS} characters`;
  }
  if (/^ | $| {2}/.test(text)) {
    return "single spaces, and none at the start or end";
  }
  if (/^\p{M}/u.test(text) || STACKED_MARKS.test(text)) {
    return "at most four combining marks, after a letter";
  }
  return null;
}

const NAMES_BY_SKELETON: ReadonlyMap<string, string> = new Map(
  PROTECTED_NAMES.map((name) => [skeletonOf(name), name]),
);

/**
 * Returns the reserved name that a display name contains as a word, or that it looks
 * like; null if there is none. Names are compared by their skeletons (UTS 39, section
 * 4), without accents and in lower case.
 */
export async function resembledName(
  displayName: string | null,
): Promise<string | null> {
  if (displayName === null) return null;
  const { default: mapConfusables } = await import("unhomoglyph");
  const plain = (text: string) =>
    mapConfusables(text.normalize("NFD")).normalize("NFD")
      .replace(/\p{M}/gu, "").toLowerCase();
  // Lower case brings up letters that have confusables of their own.
  const words = plain(plain(displayName.normalize("NFKC")))
    .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "").map(skeletonOf);
  for (const word of words) {
    const name = NAMES_BY_SKELETON.get(word.replace(/[0-9lo]+$/, "")) ??
      NAMES_BY_SKELETON.get(word);
    if (name !== undefined) return name;
  }
  const whole = words.join("");
  if (!PROTECTED.test(whole)) return null;
  const starts = [...NAMES_BY_SKELETON.keys()];
  const start = starts.find((skeleton) => whole.startsWith(skeleton));
  return NAMES_BY_SKELETON.get(start ?? "") ?? null;
}

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
