/** The page shown after linking an account. */
import { html } from "hono/html";
import type { Page } from "../pages/layout.ts";

/** Renders the page. */
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
        <p class="lede"><strong>${handle}</strong> is linked to your profile. Others
        see its name only if you make your links public.</p>
        <p><a class="button button-primary" href="/dashboard/profile">Back to your profile</a></p>
      </div>
    `,
  };
}
