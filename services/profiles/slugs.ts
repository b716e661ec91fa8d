/** Validation of slugs, and the comparison of slugs that look alike. */

/** Length of a slug in characters. */
const SLUG_LENGTH = { least: 3, most: 32 };

const { least, most } = SLUG_LENGTH;

/** The rule for slugs, in words. */
const SLUG_RULE =
  `${least} to ${most} of a-z, 0-9 and -, without - at the start, at the end or twice in a row`;

/** Reserved slugs: names of the service, and names that suggest authority. */
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

const RESERVED_SKELETONS: ReadonlyMap<string, string> = new Map(
  RESERVED.map((name) => [skeletonOf(name), name]),
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
  const reserved = RESERVED_SKELETONS.get(skeletonOf(text));
  if (reserved === undefined) return null;
  return reserved === text
    ? "a slug that is not reserved"
    : `a slug that does not look like the reserved ${reserved}`;
}

/** Formats a character with its code point, since characters can look alike. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase();
  const isShown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  return `${isShown ? `"${character}" ` : ""}(U+${code.padStart(4, "0")})`;
}
