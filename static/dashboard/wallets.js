/** The wallets of this browser: found by EIP-6963, used by EIP-1193. */
import { choose } from "./dialogs.js";
import { make, shorten } from "./elements.js";
import { problem, walletProblem } from "./problems.js";

/** @typedef {{ request(wanted: { method: string, params?: unknown }): Promise<any> }} Provider */
/** @typedef {{ id: string, name: string, icon: string, provider: Provider }} Wallet */

/** How long to wait for wallets of today before one of yesterday is looked for. */
const OLD_WALLET_MS = 300;

/** Where the wallet that was used last is remembered. */
const LAST_USED = "firn-wallet";

/** @type {Map<string, Wallet>} */
const wallets = new Map();

/**
 * Looks for wallets and shows them all whenever there is one more.
 * @param {(wallets: readonly Wallet[]) => void} show
 */
export function watchWallets(show) {
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail;
    const { rdns: id, name, icon } = info;
    const isKnown = wallets.has(id);
    wallets.delete("");
    wallets.set(id, { id, name, icon, provider });
    // Wallets say their names more than once; buttons are not to move under a hand.
    if (!isKnown) show(listWallets());
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  setTimeout(() => {
    const { ethereum } = /** @type {{ ethereum?: Provider }} */ (
      /** @type {unknown} */ (globalThis)
    );
    if (wallets.size > 0) return;
    if (ethereum) {
      const name = "The wallet of this browser";
      wallets.set("", { id: "", name, icon: "", provider: ethereum });
    }
    show(listWallets());
  }, OLD_WALLET_MS);
}

/** @returns {readonly Wallet[]} */
function listWallets() {
  return [...wallets.values()];
}

/**
 * Makes the picture that a wallet gave itself, where it is one.
 * @param {Wallet} wallet
 */
export function iconOf({ icon }) {
  if (!icon.startsWith("data:image/")) return null;
  return make("img", { src: icon, alt: "", width: 28, height: 28 });
}

/**
 * Asks a wallet; its refusals become problems in words.
 * @param {Wallet} wallet
 * @param {string} method
 * @param {readonly unknown[]} [params]
 */
export async function askWallet({ provider }, method, params = []) {
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
  const [address] = await askWallet(wallet, "eth_requestAccounts");
  if (!address) {
    throw problem("The wallet offers no account: unlock it and try again.");
  }
  localStorage.setItem(LAST_USED, wallet.id);
  return address.toLowerCase();
}

/**
 * Returns the wallet that holds an address: the last used, the only one, or one to be chosen.
 * @param {string} address
 */
export async function walletOf(address) {
  const wallet = await findWallet();
  const offered = /** @type {string[]} */ (
    await askWallet(wallet, "eth_requestAccounts")
  );
  if (offered.some((other) => other.toLowerCase() === address)) {
    localStorage.setItem(LAST_USED, wallet.id);
    return wallet;
  }
  localStorage.removeItem(LAST_USED);
  const other = offered[0] ? shorten(offered[0]) : "no account";
  throw problem(
    `${wallet.name} offers ${other}, and you are signed in as ${
      shorten(address)
    }: switch the account in the wallet, or sign out here.`,
  );
}

async function findWallet() {
  const last = wallets.get(localStorage.getItem(LAST_USED) ?? "none");
  const [first, ...others] = listWallets();
  if (last) return last;
  if (!first) {
    throw problem("There is no wallet in this browser to sign with.");
  }
  if (others.length === 0) return first;
  const choices = listWallets().map((wallet) => ({
    label: wallet.name,
    icon: iconOf(wallet),
    value: wallet,
  }));
  const chosen = await choose("Which wallet shall sign?", choices);
  if (chosen) return chosen;
  throw problem("No wallet was chosen: nothing was signed or sent.");
}
