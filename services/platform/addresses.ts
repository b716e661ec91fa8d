/** C-Chain addresses as text. */

/** An address in any case. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the first and last digits of an address, to be shown where it has little room. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
