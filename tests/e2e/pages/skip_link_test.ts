/** The link that skips to the content, on the pages that show results without loading a new page. */
import { assertEquals } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import { openService } from "../../support/browser/dashboard_service.ts";

inBrowser.test("skipping to the content keeps the page and moves the focus", async (t) => {
  await using service = openService();
  for (const path of ["/chains", "/"]) {
    await t.step(path, async () => {
      const { page, requests, settled, troubles } = await service.browser
        .newPage();
      await page.goto(new URL(path, service.url).href);
      await settled();
      const before = requests.length;
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForURL("**#main");
      await page.waitForTimeout(500);
      assertEquals(requests.slice(before), []);
      assertEquals(
        await page.evaluate("document.activeElement.id"),
        "main",
      );
      assertEquals(troubles, UNTROUBLED);
    });
  }
});
