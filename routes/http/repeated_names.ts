/** Repeated names in JSON objects. */

/** Strings and brackets. In valid JSON everything else is separators and literals. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/**
 * Finds a name that one object contains twice; parsers would silently keep the
 * last. Expects valid JSON.
 */
export function findRepeatedName(text: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}
