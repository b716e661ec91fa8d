/** The donation form in a real browser: what it refuses before the wallet is asked, and what it remembers. */
import { assertEquals } from "@std/assert";
import { inBrowser, UNTROUBLED } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { waitUntil } from "../../support/wait_until.ts";

const TO = `0x${"b".repeat(40)}`;

/** A transaction hash of one digit. */
const hashOf = (digit: number) => `0x${String(digit).repeat(64)}`;

/** Opens the own profile; the wallet sends once it is told to. */
async function openProfile(
  service: ReturnType<typeof openService>,
  agreed = Promise.resolve(),
) {
  const sent: { data: string }[] = [];
  const opened = await openPage(service, {
    methods: {
      async eth_sendTransaction(transfer) {
        await agreed;
        return { result: hashOf(sent.push(transfer)) };
      },
    },
  });
  const { page } = opened;
  await page.route(
    `**/api/profiles/${TO}`,
    (route) => route.fulfill({ json: { address: TO } }),
  );
  await page.goto(`${new URL(service.url).origin}/dashboard/profile`);
  await page.getByRole("button", { name: `Sign in with ${WALLET_NAME}` })
    .click();
  await page.getByRole("button", { name: "Claim profile" }).waitFor();
  return {
    ...opened,
    give: async (usdc: string, to = TO) => {
      await page.locator("#donation-to").fill(to);
      await page.locator("#donation-usdc").fill(usdc);
      await page.getByRole("button", { name: "Give" }).click();
    },
    sent,
  };
}

inBrowser.test("a donation that would not count is refused before anything is sent", async () => {
  await using service = openService();
  const { page, give, sent, troubles } = await openProfile(service);
  await give("5");
  await page.getByText("A donation counts only if you have a profile.")
    .waitFor();
  const amount = page.locator("#donation-usdc");
  const matches = async (usdc: string) => {
    await amount.fill(usdc);
    return await amount.evaluate((input) =>
      !(input as unknown as { validity: { patternMismatch: boolean } })
        .validity.patternMismatch
    );
  };
  for (const usdc of ["0", "0.0", "00.00", "0.009999", "0.001", "1."]) {
    assertEquals(await matches(usdc), false, usdc);
  }
  for (const usdc of ["0.01", "0.010000", "0.1", "00.02", "1", "10", "1.0"]) {
    assertEquals(await matches(usdc), true, usdc);
  }
  await page.locator("#donation-form").evaluate((form) =>
    form.setAttribute("novalidate", "")
  );
  await give("0.009999");
  await page.getByText(
    "A donation of 0.009999 USDC would not count. Give 0.01 USDC or more. Nothing was sent.",
  ).waitFor();
  assertEquals(sent.length, 0);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("a donation to an .avax name goes to the claimed address that it leads to, which is named before", async () => {
  await using service = openService();
  const { promise: agreed, resolve: agree } = Promise.withResolvers<void>();
  const { page, give, sent, troubles } = await openProfile(service, agreed);
  const alice = exampleOf("ordinary");
  await page.getByRole("button", { name: "Claim profile" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  await give("5", "nobody-at-all.avax");
  await page.getByText("“nobody-at-all.avax” leads to no address.").waitFor();
  await give("5", "Alice.avax");
  await page.getByText("Nobody has claimed “Alice.avax”.").waitFor();
  assertEquals([sent.length, troubles.failed.length], [0, 2]);
  await page.route(
    `**/api/profiles/${alice}`,
    (route) => route.fulfill({ json: { address: alice } }),
  );
  await give("5", "Alice.avax");
  await page.getByText(
    `Confirm the transfer of 5.00 USDC to ${alice}`,
  )
    .waitFor();
  agree();
  await waitUntil(() => sent.length === 1);
  assertEquals(sent[0]!.data.includes(alice.slice(2)), true);
});

inBrowser.test("a recorded donation leaves the memory of another that is pending", async () => {
  await using service = openService();
  const { page, troubles } = await openProfile(service);
  const [typed, other] = [hashOf(1), hashOf(2)];
  let isFinal = false;
  await page.route("**/api/account/donations", async (route) => {
    const { txHash } = route.request().postDataJSON();
    await route.fulfill({
      json: isFinal && txHash === typed
        ? { status: "recorded", usdc: "5.00", countedUsdc: "5.00" }
        : { status: "pending", confirmations: 0, required: 2 },
    });
  });
  const untilKept = (expected: readonly string[]) =>
    waitUntil(async () =>
      String(expected) === String(
        await page.evaluate(() =>
          JSON.parse(sessionStorage.getItem("firn-donations") ?? "[]")
            .map(({ txHash }: { txHash: string }) => txHash)
        ),
      )
    );
  await page.getByText("Already sent?").click();
  await page.locator("#record-to").fill("nobody");
  await page.locator("#record-tx").fill(typed);
  await page.route(
    "**/api/profiles/nobody",
    (route) => route.fulfill({ status: 404, json: {} }),
  );
  await page.getByRole("button", { name: "Record it" }).click();
  // The donation was sent before.
  await page.getByText(/^Nobody has claimed .* Nothing was recorded\.$/)
    .waitFor({ timeout: 5_000 });
  troubles.failed.length = troubles.errors.length = 0;
  await page.locator("#record-to").fill(TO);
  await page.locator("#record-tx").fill(typed);
  await page.getByRole("button", { name: "Record it" }).click();
  await untilKept([typed]);
  // Another one that was sent before, and is not recorded yet.
  await page.evaluate((txHash) => {
    const [sent] = JSON.parse(sessionStorage.getItem("firn-donations")!);
    const both = [sent, { ...sent, txHash }];
    sessionStorage.setItem("firn-donations", JSON.stringify(both));
  }, other);
  isFinal = true;
  await untilKept([other]);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("a donation that the network drops or never confirms is given up after ten minutes, with what to check", async () => {
  await using service = openService();
  const { page, give } = await openProfile(service);
  await page.clock.install();
  await page.getByRole("button", { name: "Claim profile" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  let isKnown = true;
  let asked = 0;
  await page.route("**/api/account/donations", async (route) => {
    asked++;
    await route.fulfill(
      isKnown
        ? { json: { status: "pending", confirmations: 0, required: 2 } }
        : { status: 422, json: { code: "TX_NOT_FOUND", message: "unknown" } },
    );
  });
  await give("5");
  const sent = page.getByText("Sent: 0 of 2 confirmations.");
  await sent.waitFor();
  await page.clock.fastForward(9 * 60_000);
  await waitUntil(() => asked > 1);
  await sent.waitFor();
  await page.clock.fastForward(2 * 60_000);
  await page.getByText(
    `The network has not confirmed the transaction ${hashOf(1)}`,
  ).waitFor();
  // It may still be confirmed, so the page asks again when it is loaded.
  isKnown = false;
  await page.reload();
  await page.getByText(
    `The network does not know the transaction ${hashOf(1)}`,
  ).waitFor();
  const [before, kept] = [
    asked,
    await page.evaluate(() => sessionStorage.getItem("firn-donations")),
  ];
  assertEquals(kept, "[]");
  await page.clock.fastForward(60_000);
  await page.reload();
  await page.getByRole("button", { name: "Give" }).waitFor();
  assertEquals(asked, before);
});

inBrowser.test("a donation that was recorded by a request without an answer is shown as recorded, and a typed one is not", async () => {
  await using service = openService();
  const { page, give } = await openProfile(service);
  await page.getByRole("button", { name: "Claim profile" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  let asked = 0;
  const message = "it is recorded already";
  await page.route("**/api/account/donations", async (route) => {
    if (asked++ === 0) return await route.abort();
    const json = { code: "TX_USED", message };
    await route.fulfill({ status: 409, json });
  });
  await give("5");
  await page.getByText(/^Recorded\. Your score/).waitFor();
  await page.getByText("Already sent?").click();
  await page.locator("#record-to").fill(TO);
  await page.locator("#record-tx").fill(hashOf(7));
  await page.getByRole("button", { name: "Record it" }).click();
  await page.getByText(message).waitFor();
  assertEquals(asked, 3);
  assertEquals(
    await page.evaluate(() => sessionStorage.getItem("firn-donations")),
    "[]",
  );
});
