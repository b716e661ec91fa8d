/** Names in the letters that the fonts of the pictures have. Others would be drawn as empty boxes. */

/** Ranges of characters whose assigned ones both fonts have: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Georgian, punctuation, currencies and arrows. */
const DRAWABLE_RANGES: readonly (readonly [number, number])[] = [
  [0x0020, 0x02e9],
  [0x0300, 0x034f],
  [0x0370, 0x0525],
  [0x0531, 0x055f],
  [0x0561, 0x0587],
  [0x05d0, 0x05ea],
  [0x0621, 0x063a],
  [0x0640, 0x0655],
  [0x0679, 0x06bf],
  [0x10d0, 0x10fc],
  [0x1e00, 0x1efb],
  [0x1f00, 0x20b5],
  [0x2190, 0x2311],
];

function isDrawable(letter: string): boolean {
  const code = letter.codePointAt(0)!;
  return DRAWABLE_RANGES.some(([first, last]) => code >= first && code <= last);
}

/** Removes invisible characters, and those that XML does not allow. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\ufffe\uffff]/gu, "");
}

/**
 * Returns a name without symbols that the fonts lack, as emoji; the fallback if they
 * lack a letter of it, or nothing remains.
 */
export function drawableName(name: string, fallback: string): string {
  const letters = [...printable(name)];
  const isMissing = letters.some((letter) =>
    !isDrawable(letter) && /[\p{L}\p{N}]/u.test(letter)
  );
  const drawn = letters.filter(isDrawable).join("").replace(/ +/g, " ").trim();
  return isMissing || drawn === "" ? fallback : drawn;
}

/** Size in pixels of the pictures of pages, as previews of links expect it. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;
