/** The dashboard in a real browser with a real EVM node, token and verifier contract. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { verifyTypedData as verifyByEthers } from "ethers";
import { getAddress, verifyTypedData } from "viem";
import { settingsOf, startSimnet } from "../../../simnet/start.ts";
import { ANVIL_SKIPPED, startAnvil } from "../../support/evm/anvil.ts";
import { SIGNER_KEY } from "../../support/attestations.ts";
import {
  BROWSER_SKIPPED,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import {
  agreeSilently,
  dashboardOf,
} from "../../support/browser/dashboard_page.ts";
import {
  injectWallet,
  methodsOfNode,
} from "../../support/browser/injected_wallet.ts";
import { openVerifier } from "../../support/evm/score_verifier.ts";
import { startService } from "../../support/processes/service.ts";
import { deployUsdc } from "../../support/evm/usdc.ts";

const GROWTH = 249_000_000n;

/** Starts a node with the token and the verifier, the service, and a page with a funded wallet. */
async function openDashboard() {
  await using opening = new AsyncDisposableStack();
  const anvil = opening.use(await startAnvil());
  const usdc = await deployUsdc(anvil);
  const verifier = await openVerifier(anvil);
  const { subject } = verifier;
  const wallet = subject.address.toLowerCase();
  const treasury = anvil.accounts[5]!.address.toLowerCase();
  await usdc.mint(subject.address, 1_000_000_000n);
  const simnet = opening.use(startSimnet());
  const service = opening.use(
    await startService({
      ...settingsOf(simnet),
      KV_PATH: ":memory:",
      C_CHAIN_RPC_URL: anvil.url,
      USDC_ADDRESS: usdc.address,
      TREASURY_ADDRESS: treasury,
      ATTESTATION_PRIVATE_KEY: SIGNER_KEY,
      ATTESTATION_CONTRACT: verifier.address,
    }),
  );
  const base = `http://localhost:${new URL(service.url).port}`;
  const browser = opening.use(openBrowser());
  const opened = await browser.newPage();
  const { page } = opened;
  await injectWallet(page, { methods: methodsOfNode(anvil.url, wallet) });
  await page.goto(`${base}/dashboard`);
  const steps = { walletName: "Test wallet", agree: agreeSilently };
  const ended = opening.move();
  return {
    ...opened,
    ...dashboardOf(page, steps),
    anvil,
    usdc,
    verifier,
    wallet,
    treasury,
    base,
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

Deno.test({
  name:
    "an owner signs in, creates a key, buys Growth and gets a score that the contract accepts once",
  ignore: ANVIL_SKIPPED || BROWSER_SKIPPED,
  async fn(t) {
    await using dashboard = await openDashboard();
    const { page, troubles, violations, base, wallet, treasury } = dashboard;
    const { anvil, usdc, verifier } = dashboard;
    const get = async (path: string, key: string) => {
      const headers = { "X-Api-Key": key };
      const response = await fetch(`${base}/api/v1${path}`, { headers });
      return { status: response.status, body: await response.json() };
    };

    assertEquals(await dashboard.signIn(), wallet);

    const key = await dashboard.createKey("Production");
    assertEquals((await get(`/score/${wallet}`, key)).status, 200);
    const sign = page.getByRole("button", { name: "Sign my score" });
    const answer = page.getByLabel("The signed score", { exact: true });
    await sign.click();
    await page.getByText("it is included from Growth on").waitFor();
    assertEquals(troubles.failed.splice(0).length, 1, "the refusal");
    troubles.errors.splice(0);

    const offer = await dashboard.quote("Growth");
    assertStringIncludes(offer, "249.00 USDC");
    assertStringIncludes(offer, treasury);
    await dashboard.pay();
    await t.step("pays after switching from another network", async () => {
      const dialog = page.getByRole("dialog");
      assertStringIncludes(
        await dialog.innerText(),
        "Your wallet is on chain 1.",
      );
      await dialog.getByRole("button", { name: "Switch to Avalanche C-Chain" })
        .click();
    });

    await t.step(
      "the payment is not lost by a reload before its blocks",
      async () => {
        const payment = page.getByRole("group", { name: "Your payment" });
        await payment.getByText("0 of 2 confirmations").waitFor();
        await page.reload();
        await payment.getByText("0 of 2 confirmations").waitFor();
        assertEquals((await page.content()).includes(key), false);
      },
    );
    await anvil.mine(1);
    await page.getByText("1 of 2 confirmations").waitFor();
    await anvil.mine(1);
    assertMatch(await dashboard.waitForPayment(), /You have Growth until/);
    // Ordering again renews the plan.
    await page.getByRole("radio", { name: /^Growth/, checked: true })
      .waitFor({ state: "attached" });
    assertEquals(await usdc.balanceOf(getAddress(treasury)), GROWTH);
    const paid = page.getByRole("region", { name: "Payments" }).getByRole(
      "row",
    );
    assertMatch(await paid.nth(1).innerText(), /Growth, 30 days\s+249\.00/);
    const receipt = page.getByRole("link", { name: /^Receipt of the payment/ });
    const opened = await page.context().newPage();
    await opened.goto(
      new URL((await receipt.getAttribute("href"))!, page.url()).href,
    );
    const written = await opened.getByRole("main").innerText();
    assertMatch(written, /^249\.00 USDC$/m);
    assertMatch(written, new RegExp(`^Paid by\\s+${wallet}$`, "m"));
    assertMatch(written, /^Transaction\s+0x[0-9a-f]{64}$/m);
    await opened.getByRole("button", { name: "Print or save as PDF" })
      .waitFor();
    await opened.emulateMedia({ media: "print" });
    assertEquals(
      await opened.getByRole("navigation").or(opened.getByRole("button"))
        .filter({ visible: true }).count(),
      0,
      "paper has no controls",
    );
    await opened.close();

    await sign.click();
    const done = await page.getByText(/^Signed: \d+, valid until/).innerText();
    const signed = JSON.parse(await answer.innerText());
    const { domain, types, message, signature, signer } = signed;
    // The end of a signature is an instant, not a day.
    assertMatch(done, /until \d+ \w+ \d{4}, \d\d:\d\d UTC\.$/);

    await t.step(
      "viem, ethers and the contract recover the signer",
      async () => {
        assertEquals(
          await verifyTypedData({ ...signed, address: signer }),
          true,
        );
        const byEthers = verifyByEthers(domain, types, message, signature);
        assertEquals(byEthers, getAddress(signer));
        assertEquals(
          await verifier.read("verify", [message, signature]),
          getAddress(signer),
        );
      },
    );

    await t.step("the contract accepts it once", async () => {
      await verifier.accept(signed);
      const nonce = BigInt(message.nonce);
      assertEquals(
        await verifier.refusal("accept", [message, signature]),
        ["NonceUsed", nonce, nonce],
      );
    });

    assertEquals(await violations(), []);
    assertEquals(troubles, UNTROUBLED);
  },
});

Deno.test({
  name:
    "a payment from another wallet app is followed by its hash, and a missing amount is shown",
  ignore: ANVIL_SKIPPED || BROWSER_SKIPPED,
  async fn() {
    await using dashboard = await openDashboard();
    const { page, troubles, anvil, usdc, verifier, treasury } = dashboard;
    await dashboard.signIn();
    const payTo = getAddress(treasury);
    const pay = async (amount: bigint) => {
      const hash = await usdc.transfer(verifier.subject, payTo, amount);
      await anvil.mine(2);
      await page.getByText("Pay from a phone or another app").click();
      await page.getByLabel("Enter the transaction hash").fill(hash);
      await page.getByRole("button", { name: "Check it" }).click();
      return await dashboard.waitForPayment();
    };
    await dashboard.quote("Growth");
    assertStringIncludes(await pay(GROWTH - 1n), "0.000001 USDC are missing");
    await page.getByRole("button", { name: "Close" }).click();
    assertStringIncludes(await dashboard.quote("Growth"), "0.000001 USDC");
    assertMatch(await pay(1n), /You have Growth until/);
    assertEquals(troubles, UNTROUBLED);
  },
});
