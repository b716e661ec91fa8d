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

/** Renders the UTC day of an ISO 8601 day or instant. */
export function dayTime(iso: string): Html {
  return html`<time datetime="${iso}">${dayWords(iso)}</time>`;
}

/** Formats an instant to the minute: `2026-11-21 08:07 UTC`. */
export function formatInstant(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}
