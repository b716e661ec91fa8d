/** Formats amounts of USDC. */

/**
 * Formats an amount in base units (6 decimals) as USDC, with two decimals, or
 * with six if the last four are not zero. Works on digits, so it is exact.
 * @param {string} amount
 */
export function formatUsdc(amount) {
  const digits = amount.padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0000$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}
