/** The dialogs of the dashboard: by keyboard, and when two of them meet. */
import { assertEquals } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";

inBrowser.test("in the dialog of limits, Enter confirms, and Cancel works beside a wrong number", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles } = opened;
  await opened.signIn();
  await opened.createKey("Mine");
  const dialog = page.getByRole("dialog");
  const open = () =>
    page.getByRole("button", { name: "Limits of the key Mine" }).click();
  await open();
  await dialog.getByLabel("Maximum units in 30 days").fill("0");
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
});

inBrowser.test("the dialog of limits keeps the seconds of an end that is not changed, and sends one that is", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles } = opened;
  await opened.signIn();
  const end = "2099-01-31T10:20:30.456Z";
  await page.route("**/api/account", async (route) => {
    const response = await route.fetch();
    const account = await response.json();
    for (const { limits } of account.keys) limits.expiresAt = end;
    await route.fulfill({ response, json: account });
  });
  await opened.createKey("Mine");
  const dialog = page.getByRole("dialog");
  const change = async (label: string, text: string) => {
    await page.getByRole("button", { name: "Limits of the key Mine" })
      .click();
    await dialog.getByLabel(label).fill(text);
    const [sent] = await Promise.all([
      page.waitForRequest("**/keys/*/limits"),
      dialog.getByRole("button", { name: "Change" }).click(),
    ]);
    await page.getByText("Limits of the key “Mine” changed.").waitFor();
    return sent.postDataJSON().limits.expiresAt;
  };
  const at = "Stops working at (UTC)";
  assertEquals(await change("Note", "CI"), end);
  assertEquals(
    await change(at, "2099-01-31T10:21"),
    "2099-01-31T10:21:00.000Z",
  );
  assertEquals(await change(at, ""), null);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("a question that comes while another is open waits for its answer", async () => {
  await using service = openService();
  const chain = { id: "0xa86a", ...Promise.withResolvers<void>() };
  let mustWait = false;
  const opened = await openPage(service, {
    methods: {
      eth_chainId: async () => {
        if (mustWait) await chain.promise;
        return { result: chain.id };
      },
      wallet_switchEthereumChain: () => {
        chain.id = "0xa86a";
        return { result: null };
      },
      eth_sendTransaction: () => ({
        error: { code: 4001, message: "no" },
      }),
    },
  });
  const { page, troubles } = opened;
  const { origin } = new URL(service.url);
  await page.goto(`${origin}/dashboard/profile`);
  await page.getByRole("button", { name: `Sign in with ${WALLET_NAME}` })
    .click();
  await page.getByRole("button", { name: "Claim profile" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  const to = `0x${"b".repeat(40)}`;
  await page.route(
    `**/api/profiles/${to}`,
    (route) => route.fulfill({ json: { address: to } }),
  );
  mustWait = true;
  await page.locator("#donation-to").fill(to);
  await page.locator("#donation-usdc").fill("5");
  await page.getByRole("button", { name: "Give" }).click();
  await page.getByRole("button", { name: "Delete the profile" }).click();
  const question = page.getByRole("dialog", { name: "Delete your profile?" });
  await question.waitFor();
  // The wallet answers at last, and it is on another network.
  chain.id = "0x1";
  chain.resolve();
  await page.waitForTimeout(500);
  assertEquals(await question.count(), 1);
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Switch to" }).click();
  await page.getByText("You declined in your wallet.").waitFor();
  assertEquals(await page.getByText("Your profile is deleted.").count(), 0);
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
  assertEquals(troubles, UNTROUBLED);
});
