/** Credited payments as the dashboard shows them. */
import { assertEquals, assertMatch } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
} from "../../support/browser/dashboard_service.ts";

/** A transaction hash of one digit. */
const hashOf = (digit: number) => `0x${String(digit).repeat(64)}`;

/** What two credited payments have in common. */
const CREDITED = {
  at: "2026-11-21T08:00:00.000Z",
  periods: 1,
  blockNumber: null,
  revokedAt: null,
};

inBrowser.test("a purchase from credit whose answer was lost is shown as bought, and a refused one is not", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page } = opened;
  await opened.signIn();
  const quoteIds: string[] = [];
  await page.route("**/api/account/quotes", async (route) => {
    const response = await route.fetch();
    const quote = await response.json();
    quoteIds.push(quote.quoteId);
    const json = { ...quote, amount: "0", uri: null, transaction: null };
    await route.fulfill({ response, json });
  });
  const paidUntil = "2099-01-01T00:00:00.000Z";
  const bought: object[] = [];
  await page.route("**/api/account/payments", async (route) => {
    const response = await route.fetch();
    const plan = bought.length > 0 ? { plan: "builder", paidUntil } : {};
    const json = { ...await response.json(), ...plan, payments: bought };
    await route.fulfill({ response, json });
  });
  await page.route("**/api/account/claims", async (route) => {
    const { quoteId } = route.request().postDataJSON();
    if (bought.length === 0) {
      bought.push({
        ...CREDITED,
        amount: "0",
        amountDisplay: "0.00",
        product: "builder",
        quoteId,
        txHash: null,
      });
      return await route.abort();
    }
    const json = { code: "QUOTE_USED", message: "it was used already" };
    await route.fulfill({ status: 409, json });
  });
  const payWithCredit = async () => {
    await opened.quote("Builder");
    await page.getByRole("button", { name: "Pay with credit" }).click();
  };
  await payWithCredit();
  assertMatch(await opened.waitForPayment(), /You have Builder until/);
  await payWithCredit();
  await page.getByText("it was used already").waitFor();
  assertEquals(new Set(quoteIds).size, 2);
  await page.unrouteAll({ behavior: "wait" });
});

inBrowser.test("a payment that the job found too small for a name is not shown as a bought name", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles } = opened;
  await opened.signIn();
  await opened.quote("Builder");
  await page.route("**/api/account/payments", async (route) => {
    const response = await route.fetch();
    const short = {
      ...CREDITED,
      amount: "10000000",
      amountDisplay: "10.00",
      product: "slug",
      quoteId: null,
      txHash: hashOf(1),
    };
    const json = { ...await response.json(), payments: [short] };
    await route.fulfill({ response, json });
  });
  await page.getByText("Pay from a phone or another app").click();
  await page.getByLabel("Enter the transaction hash").fill(hashOf(1));
  await page.getByRole("button", { name: "Check it" }).click();
  assertMatch(await opened.waitForPayment(), /Your payment was credited\./);
  await page.unrouteAll({ behavior: "wait" });
  assertEquals(troubles, UNTROUBLED);
});
