/** Marks of display names that look like a reserved name. */
import { PROTECTED_NAMES } from "./reserved_names_schema.ts";
import { isProtected, skeletonOf } from "./slugs.ts";

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
