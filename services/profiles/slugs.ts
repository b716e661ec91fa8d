/** The names of profiles in addresses: what one looks like, and which look alike. */

/** Characters of a slug. */
export const SLUG_LENGTH = { least: 3, most: 32 };

const { least, most } = SLUG_LENGTH;

/** What is accepted as a slug, in words. */
export const ACCEPTED_SLUG =
  `${least} to ${most} of a-z, 0-9 and -, with no - at either end or beside another`;

/** Names that belong to the service, or that would speak for somebody else. */
const RESERVED = [
  "about",
  "account",
  "admin",
  "administrator",
  "api",
  "attestation",
  "ava-labs",
  "avalanche",
  "avax",
  "badge",
  "billing",
  "c-chain",
  "chain",
  "chart",
  "circle",
  "contact",
  "dashboard",
  "demo",
  "developer",
  "docs",
  "explorer",
  "faq",
  "firn",
  "foundation",
  "health",
  "help",
  "home",
  "humans",
  "legal",
  "llms",
  "login",
  "logout",
  "mail",
  "metrics",
  "mod",
  "moderator",
  "nobody",
  "null",
  "official",
  "operator",
  "owner",
  "payments",
  "postmaster",
  "press",
  "pricing",
  "privacy",
  "profile",
  "profiles",
  "public",
  "root",
  "score",
  "scores",
  "security",
  "settings",
  "signin",
  "signup",
  "staff",
  "static",
  "status",
  "subnet",
  "support",
  "system",
  "team",
  "terms",
  "tools",
  "treasury",
  "undefined",
  "usdc",
  "verified",
  "verify",
  "wallet",
  "webmaster",
  "well-known",
  "www",
];

/**
 * Characters that are taken for others: the rows of Unicode's confusables (UTS
 * 39, section 4) for a-z and 0-9, in lower case, and two letters that look like
 * one. A hyphen is easily overlooked.
 */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/-/g, ""],
  [/0/g, "o"],
  [/[1i]/g, "l"],
  [/m/g, "rn"],
  [/vv/g, "w"],
];

/** Returns what all slugs have in common that are taken for this one. */
export function skeletonOf(slug: string): string {
  return LOOK_ALIKES.reduce(
    (text, [pattern, same]) => text.replaceAll(pattern, same),
    slug,
  );
}

const RESERVED_SKELETONS: ReadonlyMap<string, string> = new Map(
  RESERVED.map((name) => [skeletonOf(name), name]),
);

/** Says why a text cannot be a slug; null where it can. */
export function slugProblem(text: string): string | null {
  const foreign = /[^a-z0-9-]/u.exec(text)?.[0];
  if (foreign !== undefined) {
    return `${
      nameCharacter(foreign)
    } is no character of a slug: accepted is ${ACCEPTED_SLUG}`;
  }
  const fits = text.length >= least && text.length <= most;
  if (!fits || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) {
    return `accepted is ${ACCEPTED_SLUG}`;
  }
  if (text.startsWith("0x")) {
    return "it looks like an address: accepted is one that does not start with 0x";
  }
  const reserved = RESERVED_SKELETONS.get(skeletonOf(text));
  if (reserved === undefined) return null;
  return reserved === text
    ? "it is reserved: accepted is another one"
    : `it looks like ${reserved}, which is reserved: accepted is another one`;
}

/** Names a character so that two which look alike can be told apart. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase();
  const isShown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  return `${isShown ? `"${character}" ` : ""}(U+${code.padStart(4, "0")})`;
}
