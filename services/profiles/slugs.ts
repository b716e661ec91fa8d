/** Validation of slugs, and the comparison of slugs that look alike. */
import { SLUG_LENGTH } from "../platform/wire_schema.ts";

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
const RESERVED_SLUGS = [
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
  "chains",
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

const RESERVED_SKELETONS: ReadonlyMap<string, string> = new Map(
  RESERVED_SLUGS.map((name) => [skeletonOf(name), name]),
);

/** Matches skeletons that consist of protected names and a number: `firn-support-2`. */
const PROTECTED = new RegExp(
  `^(?:${PROTECTED_NAMES.map(skeletonOf).join("|")})+[0-9lo]*$`,
);

/** Returns whether the skeleton of a name consists of protected names alone. */
function isProtected(skeleton: string): boolean {
  return PROTECTED.test(skeleton);
}

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
    return isProtected(skeleton)
      ? "a slug that does not consist of reserved names"
      : null;
  }
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
  return isProtected(whole) ? firstNameIn(whole) : null;
}

/** Returns the protected name that a skeleton starts with. */
function firstNameIn(skeleton: string): string | null {
  const found = [...NAMES_BY_SKELETON]
    .find(([start]) => skeleton.startsWith(start));
  return found?.[1] ?? null;
}
