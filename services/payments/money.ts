/** Formatting of USDC amounts. */
import { USDC_UNITS } from "./plans_schema.ts";

/** Formats base units as USDC with two decimals, or six if the last four are not zero. */
export function formatUsdc(amount: bigint): string {
  const decimals = String(amount % USDC_UNITS).padStart(6, "0");
  const shown = decimals.endsWith("0000") ? decimals.slice(0, 2) : decimals;
  return `${amount / USDC_UNITS}.${shown}`;
}
