/** The main navigation on a phone: one row with a button, which works without scripts and by keyboard. */
import { assertEquals } from "@std/assert";
import { inBrowser, openBrowser } from "../../support/browser/browser.ts";
import { assertFits } from "../../support/browser/looks.ts";
import { testDeps } from "../../support/deps.ts";
import { serve } from "../../support/loopback.ts";

const LABELS = ["Explorer", "Chains", "Score", "Dashboard", "Docs", "Status"];

inBrowser.test("the header of a phone is one row, whose menu opens without scripts and by keyboard", async (t) => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const url = `${service.url}/tools/score`;
  const rows = [[320, "light"], [390, "dark"]] as const;
  for (const [width, colorScheme] of rows) {
    await t.step(`at ${width} px, ${colorScheme}`, async () => {
      const opened = await browser.newPage({ width, colorScheme });
      const { page } = opened;
      await page.goto(url);
      const links = page.getByRole("navigation", { name: "Main" })
        .getByRole("link");
      const button = page.getByRole("button", { name: "Menu" });
      const [brand, menu] = await Promise.all([
        page.locator(".brand").boundingBox(),
        button.boundingBox(),
      ]);
      const header = await page.locator(".site-header").boundingBox();
      const row = Math.max(brand!.height, menu!.height);
      assertEquals(Math.round(header!.height - row), 1, "its border alone");
      assertEquals(await links.count(), 0);
      await button.click();
      assertEquals(await links.allInnerTexts(), LABELS);
      await assertFits(opened);
      await opened.screenshot(`menu-${width}-${colorScheme}`);
    });
  }
  await t.step("by keyboard, without scripts", async () => {
    const { page } = await browser.newPage({
      width: 320,
      runsScripts: false,
    });
    await page.goto(url);
    const button = page.getByRole("button", { name: "Menu" });
    const docs = page.getByRole("link", { name: "Docs", exact: true });
    await button.focus();
    await page.keyboard.press("Enter");
    await docs.waitFor();
    await page.keyboard.press("Escape");
    await docs.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    for (let nth = 0; nth < 5; nth++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs");
  });
  await t.step("a wide page shows its links", async () => {
    const { page } = await browser.newPage({ width: 1280 });
    await page.goto(url);
    const nav = page.getByRole("navigation", { name: "Main" });
    assertEquals(await nav.getByRole("link").allInnerTexts(), LABELS);
    assertEquals(
      await page.getByRole("button", { name: "Menu" }).isVisible(),
      false,
    );
  });
});
