/** Amounts of USDC as texts. */

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

/**
 * Separates the thousands of an amount such as 1000.00: "1,000.00".
 * @param {string} amount
 */
export function groupDigits(amount) {
  return amount.replace(
    /^\d+/,
    (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","),
  );
}

/**
 * Writes an amount such as 1000.00 for a reader: "1,000.00 USDC".
 * @param {string} amount
 */
export function showUsdc(amount) {
  return `${groupDigits(amount)} USDC`;
}
