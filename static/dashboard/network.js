/** The network of a wallet, and switching it. */
import { askToConfirm } from "./dialogs.js";
import { make } from "./elements.js";
import { isProblem, problem } from "./problems.js";
import { requestWallet } from "./wallets.js";

/** @import { Wallet } from "./wallets.js" */
/** @typedef {{ chainId: number, chainName: string }} Network */

/** What a wallet needs to add a network (EIP-3085), by chain id. */
const KNOWN = new Map([[43_114, {
  chainName: "Avalanche C-Chain",
  nativeCurrency: { name: "Avalanche", symbol: "AVAX", decimals: 18 },
  rpcUrls: ["https://api.avax.network/ext/bc/C/rpc"],
}]]);

/**
 * Ensures that a wallet is on a network. Asks before switching.
 * @param {Wallet} wallet
 * @param {Network} network
 */
export async function ensureNetwork(wallet, { chainId, chainName }) {
  const current = await networkOf(wallet);
  if (current === chainId) return;
  const agreed = await askToConfirm({
    title: "Your wallet is on another network",
    content: [make("p", {}, [
      `Your wallet is on chain ${current}. Firn uses `,
      whole(chainName),
      ` (chain ${chainId}).`,
    ])],
    yes: make("span", {}, ["Switch to ", whole(chainName)]),
  });
  if (agreed) {
    await switchTo(wallet, chainId);
    // A wallet may add a network without using it (EIP-3085).
    if (await networkOf(wallet) === chainId) return;
  }
  throw problem(
    "Your wallet is still on another network. Nothing was signed or sent.",
  );
}

/** Returns the chain id. @param {Wallet} wallet */
async function networkOf(wallet) {
  return Number(await requestWallet(wallet, "eth_chainId"));
}

/** Keeps a name on one line. @param {string} name */
function whole(name) {
  return make("span", { className: "nowrap", textContent: name });
}

/** @param {Wallet} wallet @param {number} chainId */
async function switchTo(wallet, chainId) {
  const id = `0x${chainId.toString(16)}`;
  try {
    await requestWallet(wallet, "wallet_switchEthereumChain", [{
      chainId: id,
    }]);
  } catch (error) {
    const known = KNOWN.get(chainId);
    const isUnknown = isProblem(error) && error.code === "4902";
    if (!isUnknown || !known) throw error;
    const network = { chainId: id, ...known };
    await requestWallet(wallet, "wallet_addEthereumChain", [network]);
  }
}
