/** What an owner does on the dashboard, step by step in a browser. */
import type { Page } from "playwright-core";

/** Agrees, in whatever way a wallet asks, to what a button of the page has started. */
export type Agreeing = (page: Page, button: string) => Promise<void>;

/** Agrees in the dialog of the demo wallet, by the button named. */
export const agreeInDemo: Agreeing = async (page, button) => {
  await page.getByText("Demo wallet: simulated, no real money").waitFor();
  await page.getByRole("button", { name: button, exact: true }).click();
};

/** Leaves agreeing to a wallet that asks nothing. */
export const agreeSilently: Agreeing = () => Promise.resolve();

/** Opens the steps of a page; the wallet is chosen by its name. */
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

    /** Asks what a product costs, and returns the offer as the page shows it. */
    async quote(product: string): Promise<string> {
      await buying.getByRole("radio", { name: new RegExp(`^${product}`) })
        .check();
      await button("Show the price").click();
      return await buying.getByRole("group", { name: product }).innerText();
    },

    /** Pays what is offered with the wallet. */
    async pay(): Promise<void> {
      await button(/^Pay .* with your wallet$/).click();
      await agree(page, "Send");
    },

    /** Waits until a payment has come to its end, and returns what the page says of it. */
    async waitForPayment(): Promise<string> {
      await button("Close").waitFor();
      return await buying.getByRole("group", { name: "Your payment" })
        .innerText();
    },
  };
}
