/** Answers that come late. */
import { assertEquals } from "@std/assert";
import { BROWSER_SKIPPED, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
} from "../../support/browser/dashboard_service.ts";

Deno.test({
  name: "a late answer does not bring a revoked key back to the page",
  ignore: BROWSER_SKIPPED,
  async fn() {
    await using service = await openService();
    const opened = await openPage(service);
    const { page, troubles } = opened;
    await opened.signIn();
    await opened.createKey("Mine");
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await page.route("**/api/account", async (route) => {
      const response = await route.fetch();
      arrived.resolve();
      await held.promise;
      await route.fulfill({ response });
    }, { times: 1 });
    await page.getByRole("button", { name: /^Run it/ }).click();
    await arrived.promise;
    await page.getByRole("button", { name: "Revoke the key Mine" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" })
      .click();
    await page.getByText("Key “Mine” revoked.").waitFor();
    held.resolve();
    await page.locator("button[aria-disabled]").waitFor({ state: "detached" });
    await page.getByText("You have no keys yet.").waitFor({ timeout: 2_000 });
    assertEquals(troubles, UNTROUBLED);
  },
});
