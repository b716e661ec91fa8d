/** Payments that meet on one page: in the wallet, and while they are followed. */
import { assertEquals } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";
import type { WalletOutcome } from "../../support/browser/injected_wallet.ts";
import { waitUntil } from "../../support/wait_until.ts";

/** A transaction hash of one digit. */
const hashOf = (digit: number) => `0x${String(digit).repeat(64)}`;

inBrowser.test("a wallet that has not answered a payment is not asked for another one", async () => {
  await using service = openService();
  const asked: PromiseWithResolvers<WalletOutcome>[] = [];
  const opened = await openPage(service, {
    methods: {
      eth_sendTransaction: () => {
        const answer = Promise.withResolvers<WalletOutcome>();
        asked.push(answer);
        return answer.promise;
      },
    },
  });
  const { page, troubles } = opened;
  await opened.signIn();
  await opened.quote("Builder");
  await opened.pay();
  await waitUntil(() => asked.length === 1);
  await opened.quote("Growth");
  await opened.pay();
  await page.getByText("Your wallet has not answered the payment before")
    .waitFor();
  assertEquals(asked.length, 1);
  asked[0]!.resolve({ error: { code: 4001, message: "no" } });
  await page.getByText("You declined in your wallet.").waitFor();
  await opened.pay();
  await waitUntil(() => asked.length === 2);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("a payment that ends late leaves the memory of the one after it", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles } = opened;
  await opened.signIn();
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route("**/api/account/claims", async (route) => {
    const { txHash } = route.request().postDataJSON();
    if (txHash === hashOf(2)) {
      const json = { status: "pending", confirmations: 0, required: 2 };
      return await route.fulfill({ status: 202, json });
    }
    arrived.resolve();
    await held.promise;
    await route.fulfill({ json: { status: "credit", bought: null } });
  });
  const follow = async (txHash: string) => {
    await opened.quote("Builder");
    await page.getByText("Pay from a phone or another app").click();
    await page.getByLabel("Enter the transaction hash").fill(txHash);
    await page.getByRole("button", { name: "Check it" }).click();
  };
  await follow(hashOf(1));
  await arrived.promise;
  await follow(hashOf(2));
  await page.getByText("0 of 2 confirmations").waitFor();
  await Promise.all([
    page.waitForResponse("**/api/account/calls"),
    held.resolve(),
  ]);
  const kept = await page.evaluate(() =>
    sessionStorage.getItem("firn-payment")
  );
  assertEquals(JSON.parse(kept ?? "{}").txHash, hashOf(2));
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("an expired price is not paid, unless the clock of the browser is wrong", async () => {
  await using service = openService();
  let asked = 0;
  const refuse = () => {
    asked++;
    return { error: { code: 4001, message: "no" } };
  };
  const opened = await openPage(service, {
    methods: { eth_sendTransaction: refuse },
  });
  const { page, troubles } = opened;
  await page.clock.install();
  await opened.signIn();
  await opened.quote("Builder");
  await page.clock.fastForward(29 * 60_000);
  await opened.pay();
  await page.getByText("You declined in your wallet.").waitFor();
  await page.clock.fastForward(2 * 60_000);
  await opened.pay();
  await page.getByText("This price has expired.").waitFor();
  assertEquals(asked, 1);
  // The clock of the service stands half an hour behind that of the page.
  await opened.quote("Growth");
  await opened.pay();
  await page.getByText("You declined in your wallet.").waitFor();
  assertEquals(asked, 2);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("a price that arrives after the order was changed is not shown", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles } = opened;
  await opened.signIn();
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route("**/api/account/quotes", async (route) => {
    arrived.resolve();
    await held.promise;
    await route.continue();
  }, { times: 1 });
  const button = page.getByRole("button", { name: "Show the price" });
  await page.getByRole("radio", { name: /^Builder/ }).check();
  await button.click();
  await arrived.promise;
  await page.getByRole("radio", { name: /^Growth/ }).check();
  held.resolve();
  await button.and(page.locator(":not([aria-disabled])")).waitFor();
  assertEquals(await page.locator("#quote").isHidden(), true);
  assertEquals((await opened.quote("Growth")).includes("249.00 USDC"), true);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("the price of a name is not shown after the name was changed", async () => {
  await using service = openService();
  const { page, troubles } = await openPage(service);
  await page.goto(`${service.url}/profile`);
  await page.getByRole("button", { name: `Sign in with ${WALLET_NAME}` })
    .click();
  const name = page.locator("#slug");
  await name.fill("ada-one");
  await page.getByRole("button", { name: "Claim and buy the name" }).click();
  const pay = page.getByRole("button", { name: /^Pay .* with your wallet$/ });
  await pay.waitFor();
  await page.getByLabel("Display name").fill("Ada");
  const save = page.getByRole("button", { name: "Save", exact: true });
  const saved = page.getByText("Your profile is saved.");
  await save.click();
  await saved.waitFor();
  assertEquals(await pay.count(), 1);
  await name.fill("ada-two");
  await save.click();
  await pay.waitFor({ state: "detached" });
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("a price is not paid after another tab has changed what the wallet has, or signed in another wallet", async () => {
  await using service = openService();
  let asked = 0;
  const refuse = () => {
    asked++;
    return { error: { code: 4001, message: "no" } };
  };
  const opened = await openPage(service, {
    methods: { eth_sendTransaction: refuse },
  });
  const { page, troubles } = opened;
  await opened.signIn();
  await opened.quote("Builder");
  await page.route("**/api/account/payments", async (route) => {
    const response = await route.fetch();
    const json = { ...await response.json(), credit: "1" };
    await route.fulfill({ response, json });
  });
  await opened.pay();
  await page.getByText("Your plan or your credit has changed").waitFor();
  await opened.quote("Growth");
  await opened.pay();
  await page.getByText("You declined in your wallet.").waitFor();
  assertEquals([asked, troubles], [1, UNTROUBLED]);
  await page.context().clearCookies();
  await opened.pay();
  await page.getByText("Your session has ended").waitFor();
  assertEquals(asked, 1);
});
