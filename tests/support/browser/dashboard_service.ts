/** A service with payments and names enabled, and pages of its dashboard. */
import {
  generatePrivateKey,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from "viem/accounts";
import { settingsOf, startSimnet } from "../../../simnet/start.ts";
import {
  BROWSER_SKIPPED,
  openBrowser,
  type PageOptions,
  type TestBrowser,
} from "./browser.ts";
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

/** The service of all tests of a worker: its start takes longer than most of them. */
const running = new AsyncDisposableStack();
let url = "";

if (!BROWSER_SKIPPED) {
  Deno.test.beforeAll(async () => {
    const simnet = running.use(startSimnet());
    const service = running.use(
      await startService({
        ...settingsOf(simnet),
        KV_PATH: ":memory:",
        TREASURY_ADDRESS: TREASURY,
        AVAX_NAMES: "avvy",
        TRUSTED_PROXY_HOPS: "1",
      }, { isRead: false }),
    );
    url = `http://localhost:${new URL(service.url).port}/dashboard`;
  });
  Deno.test.afterAll(() => running.disposeAsync());
}

/** Opens a browser on a service with payments enabled, which the tests of a file share. */
export function openService() {
  const browser = openBrowser();
  return {
    browser,
    url,
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

/** How many wallets have opened the dashboard. */
let walletCount = 0;

/** Opens the dashboard with a wallet, by default a new one. */
export async function openPage(
  { browser, url }: { readonly browser: TestBrowser; readonly url: string },
  { account = privateKeyToAccount(generatePrivateKey()), ...options }:
    & PageOptions
    & Partial<InjectedWallet>
    & { account?: PrivateKeyAccount } = {},
) {
  const test = await browser.newPage(options);
  // Each wallet is a client of its own, so no test uses up the limits of another.
  const client = `198.51.100.${++walletCount}`;
  await test.page.context().setExtraHTTPHeaders({ "X-Forwarded-For": client });
  const methods = { ...methodsOf(account), ...options.methods };
  await injectWallet(test.page, { name: WALLET_NAME, ...options, methods });
  await test.page.goto(url);
  const walletName = options.isOld ? "Browser wallet" : WALLET_NAME;
  const steps = { walletName, agree: agreeSilently };
  return { ...test, ...dashboardOf(test.page, steps), account };
}
