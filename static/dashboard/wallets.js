/** The wallets of this browser: found by EIP-6963, used by EIP-1193. */
import { choose } from "./dialogs.js";
import { make, shorten } from "./elements.js";
import { problem, walletProblem } from "./problems.js";

/** @typedef {{ request(wanted: { method: string, params?: unknown }): Promise<any> }} Provider */
/** @typedef {{ id: string, name: string, icon: string, provider: Provider }} Wallet */

/** Wait for EIP-6963 wallets before falling back to `window.ethereum`, in milliseconds. */
const LEGACY_WALLET_MS = 300;

/** Local storage key of the last used wallet. */
const LAST_USED = "firn-wallet";

/** @type {Map<string, Wallet>} */
const wallets = new Map();

/**
 * Looks for wallets. Calls `show` with all of them whenever one is added.
 * @param {(wallets: readonly Wallet[]) => void} show
 */
export function watchWallets(show) {
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail;
    const { rdns: id, name, icon } = info;
    const isKnown = wallets.has(id);
    wallets.delete("");
    wallets.set(id, { id, name, icon, provider });
    // Wallets announce themselves repeatedly; the buttons must not move.
    if (!isKnown) show(listWallets());
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  setTimeout(() => {
    const { ethereum } = /** @type {{ ethereum?: Provider }} */ (
      /** @type {unknown} */ (globalThis)
    );
    if (wallets.size > 0) return;
    if (ethereum) {
      const name = "Browser wallet";
      wallets.set("", { id: "", name, icon: "", provider: ethereum });
    }
    show(listWallets());
  }, LEGACY_WALLET_MS);
}

/** @returns {readonly Wallet[]} */
function listWallets() {
  return [...wallets.values()];
}

/**
 * Creates the icon of a wallet; null if it is not an image.
 * @param {Wallet} wallet
 */
export function iconOf({ icon }) {
  if (!icon.startsWith("data:image/")) return null;
  return make("img", { src: icon, alt: "", width: 28, height: 28 });
}

/**
 * Sends a request to a wallet. Converts its errors to problems.
 * @param {Wallet} wallet
 * @param {string} method
 * @param {readonly unknown[]} [params]
 */
export async function requestWallet({ provider }, method, params = []) {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    throw walletProblem(error);
  }
}

/**
 * Connects a wallet and returns its address, lower-case.
 * @param {Wallet} wallet
 * @returns {Promise<string>}
 */
export async function connect(wallet) {
  const [address] = await requestWallet(wallet, "eth_requestAccounts");
  if (!address) {
    throw problem("Your wallet offers no account. Unlock it and try again.");
  }
  localStorage.setItem(LAST_USED, wallet.id);
  return address.toLowerCase();
}

/**
 * Returns the wallet of an address: the last used, the only one, or the chosen one.
 * @param {string} address
 */
export async function walletOf(address) {
  const wallet = await findWallet();
  const offered = /** @type {string[]} */ (
    await requestWallet(wallet, "eth_requestAccounts")
  );
  if (offered.some((other) => other.toLowerCase() === address)) {
    localStorage.setItem(LAST_USED, wallet.id);
    return wallet;
  }
  localStorage.removeItem(LAST_USED);
  const other = offered[0] ? shorten(offered[0]) : "no account";
  throw problem(
    `${wallet.name} offers ${other}, but you are signed in as ${
      shorten(address)
    }. Switch the account in your wallet, or sign out here.`,
  );
}

/** Returns the last used wallet, the only one, or the chosen one. */
export async function findWallet() {
  const last = wallets.get(localStorage.getItem(LAST_USED) ?? "none");
  const [first, ...others] = listWallets();
  if (last) return last;
  if (!first) {
    throw problem(
      "No wallet was found in this browser. Install one and reload the page, or open the page in the browser of your wallet app.",
    );
  }
  if (others.length === 0) return first;
  const choices = listWallets().map((wallet) => ({
    label: wallet.name,
    icon: iconOf(wallet),
    value: wallet,
  }));
  const chosen = await choose("Which wallet should sign?", choices);
  if (chosen) return chosen;
  throw problem("No wallet was chosen. Nothing was signed or sent.");
}
