/** The dashboard at every width, in both colour schemes, and by keyboard only. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { enrol } from "../../support/callers.ts";
import { newPayer, paidDeps } from "../../support/evm/payers.ts";
import { serve } from "../../support/loopback.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";
import {
  assertFits,
  assertLooks,
  inEachLook,
} from "../../support/browser/looks.ts";

inBrowser.test("the dashboard fits every width and has sufficient contrast", async (t) => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles, screenshot } = opened;
  const check = async (state: string) => {
    await inEachLook(opened, async (look) => {
      await t.step(`${state}-${look}`, async () => {
        await assertFits(opened);
        await screenshot(`dashboard-${look}-${state}`);
      });
    });
  };
  await page.getByText(`Sign in with ${WALLET_NAME}`).waitFor();
  await check("1-sign-in");
  await opened.signIn();
  await opened.createKey("Production server in Frankfurt #2");
  await page.getByRole("button", { name: "Run it (costs 1 unit)" }).click();
  await page.getByText("Status 200 after").waitFor();
  await page.getByText("Limits of the new key").click();
  await page.getByText("Units by key and day").click();
  await check("2-key");
  await opened.quote("Growth");
  await page.getByText("Pay from a phone or another app").click();
  await check("3-quote");
  await page.getByRole("button", { name: /^Replace/ }).click();
  await check("4-dialog");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: /^Limits/ }).click();
  await check("5-limits");
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

inBrowser.test("the calls and a receipt at every width and colour scheme; on a phone calls are blocks", async (t) => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const txHash = payer.pay(249_000_000n);
  await payer.claim(quoteId, txHash);
  const { ask } = await enrol(deps, { wallet: payer.wallet });
  for (const path of ["/usage", "/score/0x12", `/score/${payer.wallet}`]) {
    await ask(path);
  }
  await using service = serve(deps);
  await using browser = openBrowser();
  await assertLooks(t, browser, {
    pages: [
      ["calls", `${service.url}/dashboard/calls`],
      ["receipt", `${service.url}/dashboard/receipts/${txHash}`],
    ],
    cookie: payer.cookie(),
    async prepare({ page }) {
      await page.getByText("Signed in as").waitFor();
      const { width } = page.viewportSize()!;
      const boxes = await page.evaluate(
        `[...document.querySelectorAll(".table-scroll")]
            .map((box) => box.scrollWidth > box.clientWidth)`,
      );
      const isCalls = page.url().endsWith("/calls");
      if (width < 640) assertEquals(boxes, isCalls ? [false] : []);
    },
  });
});

inBrowser.test("the dashboard works by keyboard only and moves the focus to new content", async () => {
  await using service = openService();
  const { page, troubles } = await openPage(service);
  const origin = new URL(service.url).origin;
  await page.context().grantPermissions(
    ["clipboard-read", "clipboard-write"],
    { origin },
  );
  const press = (key: string) => page.keyboard.press(key);
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.id || document.activeElement.textContent",
    );
  const tabTo = async (wanted: string) => {
    for (let step = 0; await focused() !== wanted; step++) {
      assert(step < 60, `nothing leads to ${wanted}`);
      await press("Tab");
    }
  };

  await page.getByText(`Sign in with ${WALLET_NAME}`).waitFor();
  await tabTo(`Sign in with ${WALLET_NAME}`);
  await press("Enter");
  await page.getByRole("region", { name: "API keys" }).waitFor();
  assertEquals(await focused(), "top");

  await tabTo("key-name");
  await page.keyboard.type("By hand");
  await press("Enter");
  await page.getByLabel("The key", { exact: true }).waitFor();
  assertEquals(await focused(), "new-key");
  await tabTo("key");
  const key = await page.evaluate<string>(
    "document.activeElement.textContent",
  );
  await tabTo("Copy");
  await press("Enter");
  await page.getByText("Key copied.").waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  assertEquals(copied, key);
  await tabTo("I have stored the key");
  await press("Enter");
  assertEquals(await focused(), "keys-title");
  assertEquals((await page.content()).includes(key), false);

  await tabTo("Revoke");
  await press("Enter");
  await page.getByRole("dialog").waitFor();
  await press("Escape");
  await page.locator("button:focus:not([aria-disabled])").waitFor();
  assertEquals(await focused(), "Revoke");
  await press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo("Revoke");
  await press("Enter");
  await page.getByText("Key “By hand” revoked.").waitFor();
  assertEquals(await focused(), "keys-title");

  await page.getByRole("radio", { name: /^Builder/ }).focus();
  await press("ArrowDown");
  await tabTo("Show the price");
  await press("Enter");
  await page.getByRole("group", { name: "Growth for 30 days" }).waitFor();
  assertEquals(await focused(), "quote");
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("an owner gets from a key to the first answer, limits, replaces and revokes keys, and signs out", async () => {
  await using service = openService();
  const opened = await openPage(service);
  const { page, troubles, account } = opened;
  const { origin } = new URL(service.url);
  const statusOf = async (key: string) => {
    const headers = { "X-Api-Key": key };
    const response = await fetch(`${origin}/api/v1/usage`, { headers });
    await response.body?.cancel();
    return response.status;
  };
  const shown = () => page.getByLabel("The key", { exact: true }).innerText();
  await opened.signIn();
  const first = await opened.createKey("Rota");
  assertStringIncludes(
    await page.getByLabel("The first request").innerText(),
    `curl -H 'X-Api-Key: ${first}'`,
  );
  await page.getByRole("button", { name: "Run it (costs 1 unit)" }).click();
  await page.getByText("Status 200 after").waitFor();
  assertStringIncludes(
    await page.getByLabel("The answer", { exact: true }).innerText(),
    `"address": "${account.address.toLowerCase()}"`,
  );
  const calls = page.getByRole("region", { name: "Last calls" }).first();
  assertMatch(
    await calls.getByRole("row").nth(1).innerText(),
    /200\tGET \/api\/v1\/score\/:address\t1\tRota/,
  );
  await page.getByText("last used").waitFor();
  await page.getByRole("button", { name: "I have stored the key" }).click();

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Limits of the key Rota" }).click();
  await dialog.getByLabel("Usage").uncheck();
  await dialog.getByLabel("Maximum units in 30 days").fill("12");
  await dialog.getByLabel("Note").fill("shifts");
  await dialog.getByRole("button", { name: "Change" }).click();
  await page.getByText("Limits of the key “Rota” changed.").waitFor();
  assertStringIncludes(
    await page.getByRole("region", { name: "API keys" }).innerText(),
    "1 of 12 units in 30 days; only Single scores, Batches, Histories, Signed scores; “shifts”",
  );
  assertEquals(await statusOf(first), 403);
  await page.getByRole("button", { name: "Limits of the key Rota" }).click();
  await dialog.getByLabel("Usage").check();
  await dialog.getByRole("button", { name: "Change" }).click();
  await page.getByText("shifts").waitFor();
  await page.getByText("only Single").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Replace the key Rota" }).click();
  await dialog.getByText(`It begins with ${first.slice(0, 14)}`).waitFor();
  await dialog.getByRole("button", { name: "Replace" }).click();
  const second = await shown();
  await page.getByText("works until").waitFor();
  assertEquals(await statusOf(first), 200);
  assertEquals(await statusOf(second), 200);

  // The newest key is first.
  await page.getByRole("button", { name: "Revoke the key Rota" }).first()
    .click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Key “Rota” revoked.").waitFor();
  assertEquals(await statusOf(second), 401);
  const audit = await page.getByRole("region", { name: "Audit trail" })
    .getByRole("row").allInnerTexts();
  assertEquals(audit.slice(1).map((row) => row.split("\t")[1]), [
    "A key was revoked: Rota",
    "A key was replaced by another: Rota",
    "The limits of a key were changed: Rota",
    "The limits of a key were changed: Rota",
    "A key was created: Rota",
    "The wallet signed in",
  ]);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText(`Sign in with ${WALLET_NAME}`).waitFor();
  const content = await page.content();
  assertEquals(content.includes(account.address.toLowerCase()), false);
  assertEquals(await page.context().cookies(), []);
  assertEquals(troubles, UNTROUBLED);
});
