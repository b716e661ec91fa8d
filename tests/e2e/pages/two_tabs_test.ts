/** Two wallets in one browser: in two tabs, and in one page. */
import { text } from "node:stream/consumers";
import { assertEquals } from "@std/assert";
import { inBrowser } from "../../support/browser/browser.ts";
import {
  openPage,
  openService,
  WALLET_NAME,
} from "../../support/browser/dashboard_service.ts";
import {
  injectWallet,
  methodsOf,
} from "../../support/browser/injected_wallet.ts";
import { keyPair } from "../../support/owners.ts";

const SAYS = "another tab is signed in with another wallet";

inBrowser.test("a tab changes and shows nothing of a wallet that another tab uses", async () => {
  await using service = openService();
  const { origin } = new URL(service.url);
  const signIn = (page: typeof first) =>
    page.getByRole("button", { name: `Sign in with ${WALLET_NAME}` }).click();
  const { page: first } = await openPage(service, { account: keyPair(1) });
  await first.goto(`${origin}/dashboard/profile`);
  await signIn(first);
  await first.getByRole("button", { name: "Claim profile" }).click();
  await first.getByText("Your profile is saved.").waitFor();
  const third = await first.context().newPage();
  await third.goto(`${origin}/profiles/${keyPair(3).address}`);

  const second = await first.context().newPage();
  const methods = methodsOf(keyPair(2));
  await injectWallet(second, { name: WALLET_NAME, methods });
  await second.goto(`${origin}/dashboard/profile`);
  await second.getByRole("button", { name: "Sign out" }).click();
  await signIn(second);
  await second.getByRole("button", { name: "Claim profile" }).click();
  await second.getByText("Your profile is saved.").waitFor();
  const [file] = await Promise.all([
    second.waitForEvent("download"),
    second.getByRole("button", { name: "Export" }).click(),
  ]);
  const wallet = keyPair(2).address.toLowerCase();
  assertEquals(file.suggestedFilename(), `firn-profile-${wallet}.json`);
  const exported = JSON.parse(await text(await file.createReadStream()));
  assertEquals(exported.profile.address, wallet);

  await first.getByRole("button", { name: "Export" }).click();
  await first.getByText(SAYS).waitFor();
  await first.getByRole("button", { name: "Delete the profile" }).click();
  await first.getByRole("dialog")
    .getByRole("button", { name: "Delete the profile" }).click();
  await first.getByText(SAYS).waitFor();
  await first.getByRole("button", { name: "Sign out" }).click();
  await first.locator("#account-message").getByText(SAYS).waitFor();
  await third.getByRole("button", { name: "Follow" }).click();
  await third.getByText("No wallet was found in this browser").waitFor();
  await second.reload();
  await second.getByRole("button", { name: "Save", exact: true }).waitFor();
  assertEquals(
    await second.locator("#wallet").innerText(),
    keyPair(2).address.toLowerCase(),
  );
});

inBrowser.test("a wallet that signs in late gets its own account, on a new page", async () => {
  await using service = openService();
  const late = methodsOf(keyPair(2));
  const unlocked = Promise.withResolvers<void>();
  const { page, signIn } = await openPage(service, {
    account: keyPair(1),
    methods: {
      ...Object.fromEntries(
        Object.entries(late).map((
          [name, answer],
        ) => [`late_${name}`, answer]),
      ),
      late_eth_requestAccounts: async () => {
        await unlocked.promise;
        return { result: [keyPair(2).address] };
      },
    },
  });
  await page.evaluate(() => {
    const provider = {
      async request({ method, params = [] }: Record<string, unknown>) {
        // @ts-ignore -- the function of the injected wallet.
        return (await askWallet(`late_${method}`, params)).result;
      },
    };
    const info = { name: "Late wallet", rdns: "late.wallet", icon: "" };
    dispatchEvent(
      new CustomEvent("eip6963:announceProvider", {
        detail: { info, provider },
      }),
    );
  });
  await page.getByRole("button", { name: "Sign in with Late wallet" })
    .click();
  assertEquals(await signIn(), keyPair(1).address.toLowerCase());
  unlocked.resolve();
  await page.locator("#wallet")
    .filter({ hasText: keyPair(2).address.toLowerCase() }).waitFor();
  await page.getByText("You have no keys yet.").waitFor();
  assertEquals(await page.locator("#new-limits fieldset").count(), 1);
});
