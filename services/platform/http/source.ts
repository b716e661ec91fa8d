/** The words that say where figures come from. */

/** What upstream answered, and the words that name it as the source. */
export interface Sourced<T> {
  readonly body: T;
  readonly source: string;
}

/** Names a source, or what stood in for it where the answers were simulated. */
export function nameSource(
  name: string,
  { host, simulated }: { host: string; simulated: boolean },
): string {
  return simulated
    ? `simulated (simnet in place of the ${name})`
    : `${name} (${host})`;
}
