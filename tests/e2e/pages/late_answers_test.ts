/** Answers that come late, and what the reader has typed meanwhile. */
import { assertEquals } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";

inBrowser.test("a late answer does not bring a revoked key back to the page", async () => {
  await using service = openService();
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
});

inBrowser.test("a recorded donation leaves what is typed into the form of the profile", async () => {
  await using service = openService();
  const { page, troubles } = await openPage(service);
  await page.goto(`${service.url}/profile`);
  await page.getByRole("button", { name: `Sign in with ${WALLET_NAME}` })
    .click();
  const name = page.getByLabel("Display name");
  await name.fill("Ada");
  await page.getByRole("button", { name: "Claim profile" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  const to = `0x${"b".repeat(40)}`;
  await page.route(
    `**/api/profiles/${to}`,
    (route) => route.fulfill({ json: { address: to } }),
  );
  const answer = { status: "recorded", usdc: "5.00", countedUsdc: "5.00" };
  await page.route(
    "**/api/account/donations",
    (route) => route.fulfill({ json: answer }),
  );
  await page.getByText("Already sent?").click();
  await page.locator("#record-to").fill(to);
  await page.locator("#record-tx").fill(`0x${"1".repeat(64)}`);
  await name.fill("Ada Lovelace");
  await page.getByRole("button", { name: "Record it" }).click();
  await page.getByText("Recorded: 5.00 USDC").waitFor();
  assertEquals(await name.inputValue(), "Ada Lovelace");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Your profile is saved.").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
  assertEquals(await name.inputValue(), "Ada Lovelace");
  await name.fill("Never saved");
  await page.getByRole("button", { name: "Delete the profile" }).click();
  await page.getByRole("dialog")
    .getByRole("button", { name: "Delete the profile" }).click();
  await page.getByText("Your profile is deleted.").waitFor();
  assertEquals(await name.inputValue(), "");
  assertEquals(troubles, UNTROUBLED);
});
