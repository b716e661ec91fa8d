/** The dialogs of the dashboard: by keyboard, and beside a wrong field. */
import { assertEquals } from "@std/assert";
import { BROWSER_SKIPPED, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
} from "../../support/browser/dashboard_service.ts";

Deno.test({
  name:
    "in the dialog of limits, Enter confirms, and Cancel works beside a wrong number",
  ignore: BROWSER_SKIPPED,
  async fn() {
    await using service = await openService();
    const opened = await openPage(service);
    const { page, troubles } = opened;
    await opened.signIn();
    await opened.createKey("Mine");
    const dialog = page.getByRole("dialog");
    const open = () =>
      page.getByRole("button", { name: "Limits of the key Mine" }).click();
    await open();
    await dialog.getByLabel("Most units in 30 days").fill("0");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await open();
    await dialog.getByLabel("Note").fill("by Enter");
    await dialog.getByLabel("Note").press("Enter");
    await page.getByText("Limits of the key “Mine” changed.").waitFor();
    assertEquals(
      await page.locator("#keys").getByText("“by Enter”").count(),
      1,
    );
    assertEquals(troubles, UNTROUBLED);
  },
});
