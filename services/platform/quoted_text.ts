/** Shortens input that an error message quotes. */

/** Upper limit of the characters of a quoted text. */
const MAX_CHARACTERS = 60;

/** Returns a text of at most 60 characters; a longer one is cut and ends with an ellipsis. */
export function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}…`;
}
