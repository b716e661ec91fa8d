/** The demo without a wallet extension: sign in, create a key, pay, get a signed score, and link accounts. */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { BrowserContext } from "playwright-core";
import { verifyTypedData } from "viem";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import {
  agreeInDemo,
  dashboardOf,
} from "../../support/browser/dashboard_page.ts";
import {
  freePort,
  kill,
  startProgram,
  untilAnswers,
} from "../../support/processes/service.ts";

const DOMAIN = "example.com";

const WALLET = "0xce9977dbbe39b8fbb0ca25715ec06005bdb2cc03";

inBrowser.test("the demo wallet signs in, creates a key, buys a plan, gets a score, and links a domain and GitHub", async (t) => {
  const port = freePort();
  const folder = await Deno.makeTempDir();
  await using _removing = {
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
  // A database of one's own is not filled, which takes longer than this test.
  await using demo = startProgram(["task", "demo"], {
    PORT: String(port),
    KV_PATH: `${folder}/demo.sqlite3`,
  });
  // SIGKILL would leave the service running.
  await using _ending = {
    async [Symbol.asyncDispose]() {
      kill(demo.process, "SIGTERM");
      await demo.process.status;
    },
  };
  const base = `http://localhost:${port}`;
  await untilAnswers(`${base}/api/v1`, demo);
  await using browser = openBrowser();
  const { page, troubles, violations, screenshot } = await browser.newPage({
    width: 1440,
  });
  const dashboard = dashboardOf(page, {
    walletName: "Firn demo wallet (simulated)",
    agree: agreeInDemo,
  });
  const get = async (path: string, key: string) => {
    const headers = { "X-Api-Key": key };
    const response = await fetch(`${base}/api/v1${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };

  await page.goto(`${base}/dashboard`);
  await t.step(
    "the demo wallet names itself, and its rejection stops the sign-in",
    async () => {
      await page.getByRole("button", { name: "Firn demo wallet (simulated)" })
        .click();
      const dialog = page.getByRole("dialog", { name: "Connect an account" });
      await dialog.getByText("100,000 simulated USDC").first().waitFor();
      assertEquals(await violations(), []);
      await screenshot("demo-1-wallet");
      await dialog.getByRole("button", { name: "Reject" }).click();
      await page.getByText("You declined in your wallet").waitFor();
    },
  );
  assertEquals(await dashboard.signIn(), WALLET);
  const key = await dashboard.createKey("CI bot");
  await screenshot("demo-2-key");

  await t.step(
    "the key works, and does not include what is not paid",
    async () => {
      assertEquals((await get(`/score/${WALLET}`, key)).status, 200);
      const refused = await get(`/score/${WALLET}/signed`, key);
      assertEquals(refused.status, 402);
      assertEquals(refused.body.upgrade, `${base}/dashboard`);
    },
  );

  await t.step(
    "the key is shown once; the cold reads of its plan are, too",
    async () => {
      await page.reload();
      await page.getByText(
        "1 of 500,000, 499,999 left, at most 60,000 a minute; ",
      )
        .waitFor();
      const keys = page.getByRole("list", { name: "API keys" });
      await keys.getByText("CI bot", { exact: true }).waitFor();
      assertEquals((await page.content()).includes(key), false);
    },
  );

  await dashboard.quote("Growth");
  await screenshot("demo-3-quote");
  await dashboard.pay();
  assertMatch(await dashboard.waitForPayment(), /You have Growth until/);
  await screenshot("demo-4-paid");

  await t.step(
    "the plan includes signed scores, which verify offline",
    async () => {
      const { status, body: signed } = await get(
        `/score/${WALLET}/signed`,
        key,
      );
      assertEquals(status, 200);
      const { attestation } = await (await fetch(`${base}/api/v1`)).json();
      assertEquals(signed.signer, attestation.signer);
      assertEquals(
        await verifyTypedData({ ...signed, address: attestation.signer }),
        true,
      );
    },
  );

  assertEquals(await violations(), []);
  assertEquals(troubles, UNTROUBLED);

  await t.step(
    "a published record links a domain, a sign-in links GitHub, and both change the score",
    () => linkAccounts(page.context(), base),
  );
});

/** Claims the profile of the signed-in wallet, and links a domain and a GitHub account. */
async function linkAccounts(context: BrowserContext, base: string) {
  const page = await context.newPage();
  // The test decides when the page checks the record again.
  await page.clock.install();
  const button = (name: string) => page.getByRole("button", { name });
  const dimensions = page.locator("#dimensions");

  await page.goto(`${base}/dashboard/profile`);
  await button("Claim profile").click();
  await page.getByText("Your profile is saved.").waitFor();
  const claimed = await dimensions.innerText();
  await page.getByLabel("Your domain").fill(DOMAIN);
  await button("Show the record").click();
  await button("Check now").click();
  await page.getByText("The record is not visible yet.").waitFor();
  assertEquals(await dimensions.innerText(), claimed);

  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "in the simulated DNS" }).click();
  const dns = await opened;
  await dns.getByRole("button", { name: "Publish" }).click();
  await dns.getByText(`_firn.${DOMAIN} is published.`).waitFor();
  await page.clock.fastForward(15_000);
  const linked = page.getByText(`${DOMAIN} is linked. Your score`);
  await linked.waitFor();
  assertMatch(await linked.innerText(), /was \d+, .+ before, and is \d+/);
  const withDomain = await dimensions.innerText();
  assertNotEquals(withDomain, claimed);

  await button("Link GitHub").click();
  await button("Continue as demo-veteran").click();
  await page.getByText("demo-veteran is linked").waitFor();
  await page.goto(`${base}/dashboard/profile`);
  await page.getByText("demo-veteran has been linked since").waitFor();
  // A GitHub account and a domain are no proof of a unique human.
  const steps = await page.locator("#human-steps li").allInnerTexts();
  assertEquals(steps.map((text) => text.split(/\s/)[0]), [
    "Done",
    "Missing",
    "Done",
  ]);
  assertMatch(
    steps[1]!,
    /proof of a unique human [^]+ or three linked accounts/,
  );
  assertNotEquals(await dimensions.innerText(), withDomain);
}
