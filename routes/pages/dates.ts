/** Days as people write them, and instants to the minute. Tables of data keep ISO 8601. */
import { html } from "hono/html";
import type { Html } from "./layout.ts";

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns the UTC day of an ISO 8601 day or instant, such as "21 Nov 2026". */
export function dayWords(iso: string): string {
  return DAY.format(new Date(iso));
}

const MONTH = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns a month, `YYYY-MM`, such as "November 2026". */
export function monthWords(month: string): string {
  return MONTH.format(new Date(month));
}

/** Renders the UTC day of an ISO 8601 day or instant. */
export function dayTime(iso: string): Html {
  return html`<time datetime="${iso}">${dayWords(iso)}</time>`;
}

/** Formats an instant to the minute: `2026-11-21 08:07 UTC`. */
export function formatInstant(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}

const AMOUNT = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Writes an amount for a reader, with separated thousands and at least two decimals: `1,000.00 USDC`. */
export function showUsdc(amount: number): string {
  return `${AMOUNT.format(amount)} USDC`;
}

/** Returns the first and last digits of an address, to be shown where it has little room. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
