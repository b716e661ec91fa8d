/** Links that open this page in the browser of a wallet app, for phones without a wallet in their browser. */
import { byId, make } from "./elements.js";

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
export function offerPhoneWallets() {
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
