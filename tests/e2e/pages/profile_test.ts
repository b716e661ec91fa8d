/** Profiles in a real browser: claimed by their owner, followed by somebody else, and the score that follows from it. */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { personaOf } from "../../../simnet/accounts.ts";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";
import { assertFits } from "../../support/browser/looks.ts";
import { keyPair } from "../../support/owners.ts";

/** The nth key pair whose address has a long history. */
function heavyAccount(nth: number) {
  let left = nth;
  for (let number = 1;; number++) {
    const account = keyPair(number);
    const persona = personaOf(account.address.toLowerCase());
    if (persona === "heavy" && left-- === 0) return account;
  }
}

inBrowser.test("an address is claimed, followed by another wallet and unfollowed, and its score changes with it", async () => {
  await using service = openService();
  const { origin } = new URL(service.url);
  const account = heavyAccount(0);
  const owner = await openPage(service, { account });
  const follower = await openPage(service, { account: heavyAccount(1) });
  const address = account.address.toLowerCase();
  const signIn = ({ page }: typeof owner) =>
    page.getByRole("button", { name: `Sign in with ${WALLET_NAME}` }).click();
  const claim = async (
    { page }: typeof owner,
    name: string,
    slug: string,
  ) => {
    await page.getByLabel("Display name").fill(name);
    await page.getByLabel("Name in the address of your page").fill(slug);
    await page.getByRole("button", { name: "Claim profile" }).click();
    await page.getByText("Your profile is saved.").waitFor();
  };
  const scoreOf = ({ page }: typeof owner) =>
    page.locator("#score").innerText();
  const dimensionsOf = ({ page }: typeof owner) =>
    page.locator("#dimensions").innerText();

  const { page } = owner;
  await page.goto(`${origin}/profiles/${account.address}`);
  assertEquals(new URL(page.url()).pathname, `/profiles/${address}`);
  await page.getByRole("heading", { name: "Is this yours? Claim it" })
    .waitFor();
  await assertFits(owner);
  await page.getByRole("link", { name: "Claim it" }).click();
  await signIn(owner);
  await page.getByRole("button", { name: "Claim profile" }).waitFor();
  const unclaimed = await scoreOf(owner);
  assertMatch(unclaimed, /^\d+, /);
  await claim(owner, "Ada", "ada");
  assertMatch(
    await page.locator("#score-change").innerText(),
    new RegExp(unclaimed),
  );
  const claimed = await dimensionsOf(owner);
  assertMatch(claimed, /Social\s+0(\s|$)/);
  await assertFits(owner);

  await follower.page.goto(`${origin}/dashboard/profile`);
  await signIn(follower);
  await follower.page.getByRole("button", { name: "Claim profile" })
    .waitFor();
  await claim(follower, "Bob", "");
  await follower.page.goto(`${origin}/tools/score/${address}`);
  await follower.page.getByRole("button", { name: "Follow" }).click();
  await follower.page.getByText("You follow this address.").waitFor();
  await follower.page.getByRole("link", { name: "Profile and follows" })
    .click();
  await follower.page.waitForURL("**/profiles/ada");
  await follower.page.getByRole("link", { name: "Bob" }).waitFor();
  await assertFits(follower);

  await page.reload();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
  const followed = await dimensionsOf(owner);
  assertNotEquals(followed, claimed);
  assertMatch(followed, /Social\s+(0\.[1-9]|[1-9])/);
  const followers = follower.page.locator("#follower-count");
  assertEquals(await followers.innerText(), "1");
  await follower.page.getByRole("button", { name: "Unfollow" }).click();
  await follower.page.getByText("You no longer follow it.").waitFor();
  assertEquals(await followers.innerText(), "0");
  await page.getByRole("button", { name: "Delete the profile" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your profile?" });
  await assertFits(owner);
  await dialog.getByRole("button", { name: "Delete the profile" }).click();
  await page.getByText("Your profile is deleted.").waitFor();
  await page.getByRole("button", { name: "Claim profile" }).waitFor();
  assertEquals(owner.troubles, UNTROUBLED);
  assertEquals(follower.troubles, UNTROUBLED);
});

inBrowser.test("a follower who signs in by the Follow button is counted once", async () => {
  await using service = openService();
  const { origin } = new URL(service.url);
  const { page } = await openPage(service);
  const address = heavyAccount(0).address.toLowerCase();
  // Another page the second time: the first one is kept for some seconds.
  for (const path of ["/tools/score/", "/profiles/"]) {
    await page.goto(`${origin}${path}${address}`);
    // The page loads again when its score is there.
    await page.locator("[data-retry-seconds]").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByText("You follow this address.").waitFor();
    assertEquals(
      await page.locator("#follower-count").innerText(),
      "1",
      path,
    );
    await page.context().clearCookies();
  }
});
