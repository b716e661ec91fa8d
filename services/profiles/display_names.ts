/** The names that profiles show. */
import { nameCharacter } from "./slugs.ts";

/** Characters of a display name: code points of its composed form. */
export const MOST_NAME_CHARACTERS = 40;

/**
 * Characters that are not seen, or change how others are seen: controls, marks
 * of direction, what has no width, private and unassigned ones, and spaces other
 * than the common one. U+2800 is a symbol without ink.
 */
const INVISIBLE =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\u0020]]/v;

/** What says that a pictograph is shown in colour. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\uFE0F/gu;

/** Marks on one letter beyond what any script writes. */
const STACKED_MARKS = /\p{M}{5}/u;

/** Composes a name as Unicode's NFC says (UAX 15). */
export function composeName(text: string): string {
  return text.normalize("NFC");
}

/** Says why a composed text cannot be a display name; null where it can. */
export function nameProblem(text: string): string | null {
  const unseen = INVISIBLE.exec(text.replace(EMOJI_STYLE, ""))?.[0];
  if (unseen !== undefined) {
    return `${
      nameCharacter(unseen)
    } is not accepted: it is not seen, or changes how others are`;
  }
  const { length } = [...text];
  if (length < 1 || length > MOST_NAME_CHARACTERS) {
    return `accepted are 1 to ${MOST_NAME_CHARACTERS} characters`;
  }
  if (/^ | $| {2}/.test(text)) {
    return "accepted are single spaces, and none at either end";
  }
  if (/^\p{M}/u.test(text) || STACKED_MARKS.test(text)) {
    return "accepted are marks on a letter, at most four of them";
  }
  return null;
}
