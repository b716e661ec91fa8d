/** Names of data sources in answers. */

/** The body of a response, and the name of its source. */
export interface Sourced<T> {
  readonly body: T;
  readonly source: string;
}

/** Returns the name of a source, marked if its responses were simulated. */
export function nameSource(
  name: string,
  { host, simulated }: { host: string; simulated: boolean },
): string {
  return simulated
    ? `simulated (simnet in place of the ${name})`
    : `${name} (${host})`;
}
