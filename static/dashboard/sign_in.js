/** Signing a wallet in. */
import { call } from "./api.js";
import { confirm } from "./dialogs.js";
import { byId, make } from "./elements.js";
import { ensureNetwork, isOn } from "./network.js";
import { isProblem, onClick, showMessage } from "./problems.js";
import { connect, iconOf, watchWallets } from "./wallets.js";

/** @import { SessionAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { Network } from "./network.js" */
/** @import { Wallet } from "./wallets.js" */

const MESSAGE = "sign-in-message";

/**
 * Shows a button for each wallet in the section for signing in.
 * @param {Network} network
 * @param {(wallet: string) => Promise<void>} open shows what a wallet signed in for
 */
export function offerWallets(network, open) {
  let isOpen = false;
  offerPhoneWallets();
  watchWallets((wallets) => {
    byId("no-wallet").hidden = wallets.length > 0;
    byId("wallets").replaceChildren(...wallets.map((wallet) => {
      const icon = iconOf(wallet);
      const button = make("button", { type: "button", className: "wallet" }, [
        ...icon ? [icon] : [],
        `Sign in with ${wallet.name}`,
      ]);
      onClick(button, MESSAGE, async () => {
        const signedIn = await signIn(wallet, network, MESSAGE);
        // Another wallet was faster: a page shows one account.
        if (isOpen) return location.reload();
        isOpen = true;
        await open(signedIn);
      });
      return make("li", {}, [button]);
    }));
  });
}

/**
 * Signs a wallet in, and returns its address.
 * @param {Wallet} wallet
 * @param {Network} network
 * @param {string} messageId
 * @returns {Promise<string>}
 */
export async function signIn(wallet, network, messageId) {
  showMessage(messageId, `Choose an account in ${wallet.name}.`);
  const address = await connect(wallet);
  /** @returns {Promise<SessionAnswer>} */
  const sign = async () => {
    showMessage(
      messageId,
      `Sign the message in ${wallet.name}. Signing is free.`,
    );
    const proof = await confirm(wallet, address, { action: "session" });
    return await call("POST", "/session", proof);
  };
  // A message is signed on any network, but a contract may sign for that of its wallet.
  const session = await sign().catch(async (error) => {
    const isRefused = isProblem(error) && error.code === "SIGNATURE_REFUSED";
    if (!isRefused || await isOn(wallet, network)) throw error;
    await ensureNetwork(wallet, network);
    return await sign();
  });
  showMessage(messageId, "");
  return session.wallet;
}

/** @type {readonly { name: string, linkTo: (url: URL) => string, then?: string }[]} */
const APPS = [
  {
    name: "MetaMask",
    linkTo: ({ host, pathname }) =>
      `https://link.metamask.io/dapp/${host}${pathname}`,
  },
  {
    name: "Core",
    // Core has a link to the app, but none to a page in its browser.
    linkTo: () => "https://core.app",
    then: ", then enter this page’s address in its browser",
  },
  {
    name: "Coinbase Wallet",
    linkTo: ({ href }) =>
      `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`,
  },
  {
    name: "Trust Wallet",
    linkTo: ({ href }) =>
      `https://link.trustwallet.com/open_url?coin_id=60&url=${
        encodeURIComponent(href)
      }`,
  },
];

/** Whether the device is operated by touch, as phones are. */
const isPhone = matchMedia("(pointer: coarse)").matches;

/** Offers the wallet apps on a phone. */
function offerPhoneWallets() {
  if (!isPhone) return;
  const url = new URL(location.pathname, location.origin);
  byId("phone-wallets").replaceChildren(
    ...APPS.map(({ name, linkTo, then = "" }) =>
      make("li", {}, [
        make("a", { href: linkTo(url), className: "button wallet" }, [
          then ? `Open ${name}${then}` : `Open in ${name}`,
        ]),
      ])
    ),
  );
}
