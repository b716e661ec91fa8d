/** Validation of display names. */
import { nameCharacter } from "./slugs.ts";

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

/** Returns a name in Unicode normalization form C (UAX 15). */
export function composeName(text: string): string {
  return text.normalize("NFC");
}

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
