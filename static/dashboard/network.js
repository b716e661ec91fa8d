/** The network that a wallet is on, and how it gets to ours. */
import { ask } from "./dialogs.js";
import { make } from "./elements.js";
import { isProblem, problem } from "./problems.js";
import { askWallet } from "./wallets.js";

/** @import { Wallet } from "./wallets.js" */
/** @typedef {{ chainId: number, chainName: string }} Network */

/** What a wallet needs to add a network (EIP-3085), by chain id. */
const KNOWN = new Map([[43_114, {
  chainName: "Avalanche C-Chain",
  nativeCurrency: { name: "Avalanche", symbol: "AVAX", decimals: 18 },
  rpcUrls: ["https://api.avax.network/ext/bc/C/rpc"],
}]]);

/**
 * Sees to it that a wallet is on a network; asks before it is switched.
 * @param {Wallet} wallet
 * @param {Network} network
 */
export async function ensureNetwork(wallet, { chainId, chainName }) {
  const current = Number(await askWallet(wallet, "eth_chainId"));
  if (current === chainId) return;
  const agreed = await ask({
    title: "Your wallet is on another network",
    content: [make("p", {
      textContent: `It is on chain ${current}. ` +
        `Firn works with ${chainName} (chain ${chainId}).`,
    })],
    yes: `Switch to ${chainName}`,
  });
  if (!agreed) {
    throw problem(
      "The wallet stayed on another network: nothing was signed or sent.",
    );
  }
  await switchTo(wallet, chainId);
}

/** @param {Wallet} wallet @param {number} chainId */
async function switchTo(wallet, chainId) {
  const id = `0x${chainId.toString(16)}`;
  try {
    await askWallet(wallet, "wallet_switchEthereumChain", [{ chainId: id }]);
  } catch (error) {
    const known = KNOWN.get(chainId);
    const isUnknown = isProblem(error) && error.code === "4902";
    if (!isUnknown || !known) throw error;
    const network = { chainId: id, ...known };
    await askWallet(wallet, "wallet_addEthereumChain", [network]);
  }
}
