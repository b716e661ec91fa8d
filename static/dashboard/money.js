/** Amounts of USDC as people read them. */

/**
 * Writes base units, a millionth of a USDC each, by their digits alone: two
 * decimals, or all six where the last four are not zero.
 * @param {string} amount
 */
export function formatUsdc(amount) {
  const digits = amount.padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0000$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}
