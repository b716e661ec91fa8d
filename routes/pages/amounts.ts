/** Amounts of USDC as texts. */

const AMOUNT = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Writes an amount for a reader, with separated thousands and at least two decimals: `1,000.00 USDC`. */
export function showUsdc(amount: number): string {
  return `${AMOUNT.format(amount)} USDC`;
}
