/** Copy buttons: pressed twice, and on a page that may not use the clipboard. */
import { assertEquals } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
} from "../../support/browser/dashboard_service.ts";

inBrowser.test("a copy button that is pressed twice gets its name back", async () => {
  await using service = openService();
  const { page, troubles } = await service.browser.newPage();
  await page.context().grantPermissions(["clipboard-write"]);
  await page.clock.install();
  await page.goto(`${new URL(service.url).origin}/docs/limits`);
  const button = page.locator("button.copy").first();
  const name = await button.textContent();
  for (let nth = 0; nth < 2; nth++) {
    await button.click();
    await button.filter({ hasText: "Copied" }).waitFor();
  }
  await page.clock.runFor(10_000);
  assertEquals(await button.textContent(), name);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("without a clipboard, as over http, copy buttons say what to do", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles } = opened;
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "clipboard", {
      value: undefined,
    })
  );
  await page.goto(`${new URL(service.url).origin}/docs/limits`);
  const button = page.locator("button.copy").first();
  await button.click();
  await button.filter({ hasText: "Select and copy" }).waitFor();
  await page.goto(service.url);
  await opened.signIn();
  await opened.createKey("Mine");
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copying failed.").waitFor();
  await page.goto(`${service.url}/profile`);
  await page.getByRole("button", { name: "Claim profile" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  await page.locator("#domain").fill("example.com");
  await page.locator("#domain").press("Enter");
  await page.getByRole("button", { name: "Copy the name" }).click();
  await page.getByText("Select and copy").waitFor();
  assertEquals(troubles, UNTROUBLED);
});
