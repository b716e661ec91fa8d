/** What is shown to whoever linked an account. */
import { html } from "hono/html";
import { NAV, type Page } from "../layout.ts";

/** Writes the page that says which account is linked now. */
export function linkedPage(
  { where, handle }: { readonly where: string; readonly handle: string },
): Page {
  return {
    title: `${where} account linked`,
    description: `Your ${where} account is linked to your profile.`,
    isIndexed: false,
    nav: "dashboard",
    body: html`
      <div class="stack">
        <h1>${where} account linked</h1>
        <p class="lede"><strong>${handle}</strong> is linked to your profile. Its
        name is shown to others only if you make your links public.</p>
        <p><a class="button button-primary" href="${NAV.dashboard
          .href}">Back to the dashboard</a></p>
      </div>
    `,
  };
}
