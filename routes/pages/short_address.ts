/** The short form of an address. */

/** Returns the first and last digits of an address, to be shown where it has little room. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
