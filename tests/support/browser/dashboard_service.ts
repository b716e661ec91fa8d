/** A service with payments enabled, and pages of its dashboard. */
import {
  generatePrivateKey,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from "viem/accounts";
import { settingsOf, startSimnet } from "../../../simnet/start.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./browser.ts";
import { agreeSilently, dashboardOf } from "./dashboard_page.ts";
import {
  type InjectedWallet,
  injectWallet,
  methodsOf,
} from "./injected_wallet.ts";
import { startService } from "../processes/service.ts";

/** The name of the wallet in the pages. */
export const WALLET_NAME = "Test wallet";

const TREASURY = "0xf142000000000000000000000000000000de3000";

/** Runs a service with payments enabled and further settings, and a browser. */
export async function openService(
  settings: Readonly<Record<string, string>> = {},
) {
  await using opening = new AsyncDisposableStack();
  const simnet = opening.use(startSimnet());
  const service = opening.use(
    await startService({
      ...settingsOf(simnet),
      KV_PATH: ":memory:",
      TREASURY_ADDRESS: TREASURY,
      ...settings,
    }),
  );
  const browser = opening.use(openBrowser());
  const opened = opening.move();
  return {
    browser,
    url: `http://localhost:${new URL(service.url).port}/dashboard`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Opens the dashboard with a wallet, by default a new one. */
export async function openPage(
  { browser, url }: { readonly browser: TestBrowser; readonly url: string },
  { account = privateKeyToAccount(generatePrivateKey()), ...options }:
    & PageOptions
    & Partial<InjectedWallet>
    & { account?: PrivateKeyAccount } = {},
) {
  const test = await browser.newPage(options);
  const methods = { ...methodsOf(account), ...options.methods };
  await injectWallet(test.page, { name: WALLET_NAME, ...options, methods });
  await test.page.goto(url);
  const walletName = options.isOld ? "Browser wallet" : WALLET_NAME;
  const steps = { walletName, agree: agreeSilently };
  return { ...test, ...dashboardOf(test.page, steps), account };
}
