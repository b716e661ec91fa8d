/** Amounts of USDC as texts. */

const AMOUNT = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Writes an amount of USDC with separated thousands and at least two decimals. */
export function showUsdc(amount: number): string {
  return AMOUNT.format(amount);
}
