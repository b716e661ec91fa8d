/** The steps of an owner on the dashboard, in a browser. */
import type { Page } from "playwright-core";

/** Confirms a request of the page in the wallet. */
type Agreeing = (page: Page, button: string) => Promise<void>;

/** Confirms in the dialog of the demo wallet, by the given button. */
export const agreeInDemo: Agreeing = async (page, button) => {
  await page.getByText("Demo wallet: simulated, no real money").waitFor();
  await page.getByRole("button", { name: button, exact: true }).click();
};

/** For a wallet that confirms without a dialog. */
export const agreeSilently: Agreeing = () => Promise.resolve();

/** Returns the steps on a page; `walletName` selects the wallet. */
export function dashboardOf(
  page: Page,
  { walletName, agree }: {
    readonly walletName: string;
    readonly agree: Agreeing;
  },
) {
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const keys = page.getByRole("region", { name: "API keys" });
  const buying = page.getByRole("region", { name: "Buy or extend" });
  return {
    /** Signs in, and returns the wallet as the page shows it. */
    async signIn(): Promise<string> {
      await button(`Sign in with ${walletName}`).click();
      await agree(page, "Connect");
      await agree(page, "Sign");
      await keys.waitFor();
      return await page.locator("#wallet").innerText();
    },

    /** Creates a key, and returns it as the page shows it. */
    async createKey(name: string): Promise<string> {
      await page.getByLabel("Name of a new key").fill(name);
      await button("Create key").click();
      await agree(page, "Sign");
      return await page.getByLabel("The key", { exact: true }).innerText();
    },

    /** Requests the price of a product, and returns the shown offer. */
    async quote(product: string): Promise<string> {
      await buying.getByRole("radio", { name: new RegExp(`^${product}`) })
        .check();
      await button("Show the price").click();
      return await buying.getByRole("group", { name: product }).innerText();
    },

    /** Pays the offer with the wallet. */
    async pay(): Promise<void> {
      await button(/^Pay .* with your wallet$/).click();
      await agree(page, "Send");
    },

    /** Waits until a payment is done or refused, and returns the shown text. */
    async waitForPayment(): Promise<string> {
      await button("Close").waitFor();
      return await buying.getByRole("group", { name: "Your payment" })
        .innerText();
    },
  };
}
