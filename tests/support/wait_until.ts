/** Waiting for a condition instead of for a time. */

/** How often a condition is tried. */
const POLL_MS = 2;

/** Resolves once a condition holds; its error ends the wait. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  while (!await holds()) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
