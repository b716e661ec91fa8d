/** Instants as text: to write one takes longer than to find it written. */

/** Writes instants, in epoch ms, as ISO 8601; who asks for the last one again gets the same text. */
export function isoTimestamps(): (at: number) => string {
  let last = NaN;
  let text = "";
  return (at) => {
    if (at !== last) {
      text = new Date(at).toISOString();
      last = at;
    }
    return text;
  };
}
