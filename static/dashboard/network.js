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

/** Codes by which a user declines, or a wallet has an open request. Others mean that it cannot. */
const FINAL_CODES = ["4001", "5000", "-32002"];

/** A wallet may answer before it has switched. */
const ARRIVAL = { tries: 5, everyMs: 200 };

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
  if (agreed && await switchTo(wallet, chainId)) return;
  throw problem(
    `Your wallet is still on another network. Nothing was signed or sent. Select ${chainName} (chain ${chainId}) in your wallet, and try again.`,
  );
}

/**
 * Returns whether a wallet is on a network.
 * @param {Wallet} wallet
 * @param {Network} network
 */
export async function isOn(wallet, { chainId }) {
  return await networkOf(wallet) === chainId;
}

/** Returns the chain id. @param {Wallet} wallet */
async function networkOf(wallet) {
  return Number(await requestWallet(wallet, "eth_chainId"));
}

/** Keeps a name on one line. @param {string} name */
function whole(name) {
  return make("span", { className: "nowrap", textContent: name });
}

/**
 * Switches a wallet to a network, and returns whether it is there. Wallets that do not
 * know the network, or cannot switch, say so by any code or none, so it is added after
 * any failure. A wallet may add it without using it (EIP-3085).
 * @param {Wallet} wallet
 * @param {number} chainId
 */
async function switchTo(wallet, chainId) {
  const id = { chainId: `0x${chainId.toString(16)}` };
  const known = KNOWN.get(chainId);
  const added = ["wallet_addEthereumChain", { ...id, ...known }];
  const switched = ["wallet_switchEthereumChain", id];
  for (
    const [method, network] of known ? [switched, added, switched] : [switched]
  ) {
    try {
      await requestWallet(wallet, /** @type {string} */ (method), [network]);
    } catch (error) {
      if (!isProblem(error) || FINAL_CODES.includes(error.code ?? "")) {
        throw error;
      }
      continue;
    }
    for (let nth = 0; nth < ARRIVAL.tries; nth++) {
      if (await networkOf(wallet) === chainId) return true;
      await new Promise((done) => setTimeout(done, ARRIVAL.everyMs));
    }
  }
  return false;
}
