/** A wallet in a test page, announced by EIP-6963 or as `window.ethereum`. The test answers its requests. */
import type { Page } from "playwright-core";
import { hexToString, numberToHex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";

/** The answer of a wallet: a result, or an error of EIP-1193. */
export type WalletOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Answers a request of the page. */
export type WalletMethods = Readonly<
  // deno-lint-ignore no-explicit-any -- parameters are whatever the page sent.
  Record<string, (...params: any[]) => WalletOutcome | Promise<WalletOutcome>>
>;

/** Options of a wallet. */
export interface InjectedWallet {
  readonly methods: WalletMethods;
  readonly name?: string;
  /** True for a wallet without EIP-6963, which is only `window.ethereum`. */
  readonly isOld?: boolean;
}

/** The globals that the page's side of the wallet uses. */
interface Scope {
  askWallet(method: string, params: unknown): Promise<WalletOutcome>;
  ethereum: unknown;
}

/** Adds a wallet to every document that a page loads; returns the recorded requests. */
export async function injectWallet(
  page: Page,
  { methods, name = "Test wallet", isOld = false }: InjectedWallet,
): Promise<string[]> {
  const asked: string[] = [];
  const answer: Scope["askWallet"] = async (method, params) => {
    asked.push(method);
    const error = { code: 4200, message: `${method} is not supported` };
    return await methods[method]?.(...params as unknown[]) ?? { error };
  };
  await page.exposeFunction("askWallet", answer);
  await page.addInitScript(announce, { name, isOld });
  return asked;
}

/** Runs in the page. */
function announce(
  { name, isOld }: { readonly name: string; readonly isOld: boolean },
): void {
  const scope = globalThis as unknown as Scope & EventTarget;
  const provider = {
    async request(
      { method, params = [] }: { method: string; params?: unknown },
    ) {
      const answer = await scope.askWallet(method, params);
      if ("result" in answer) return answer.result;
      const { code, message } = answer.error;
      throw Object.assign(new Error(message), { code });
    },
  };
  if (isOld) {
    scope.ethereum = provider;
    return;
  }
  const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' " +
    "viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='teal'/%3E%3C/svg%3E";
  const info = { uuid: crypto.randomUUID(), name, icon, rdns: "test.wallet" };
  const say = () =>
    scope.dispatchEvent(
      new CustomEvent("eip6963:announceProvider", {
        detail: Object.freeze({ info, provider }),
      }),
    );
  scope.addEventListener("eip6963:requestProvider", say);
  say();
}

/** Makes the methods of a wallet that confirms every request with one key. */
export function methodsOf(
  account: PrivateKeyAccount,
  chainId = 43_114,
): WalletMethods {
  return {
    eth_requestAccounts: () => ({ result: [account.address] }),
    eth_chainId: () => ({ result: numberToHex(chainId) }),
    personal_sign: async (message) => ({
      result: await account.signMessage({ message: hexToString(message) }),
    }),
  };
}

/** Makes the methods of a wallet whose requests a node with unlocked accounts answers. It starts on another network. */
export function methodsOfNode(url: string, address: string): WalletMethods {
  let chainId = "0x1";
  const ask = (method: string) => async (...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body };
    const { result, error } = await (await fetch(url, init)).json();
    return error ? { error } : { result };
  };
  return {
    eth_requestAccounts: () => ({ result: [address] }),
    eth_chainId: () => ({ result: chainId }),
    wallet_switchEthereumChain: (wanted) => {
      chainId = wanted.chainId;
      return { result: null };
    },
    personal_sign: ask("personal_sign"),
    eth_sendTransaction: ask("eth_sendTransaction"),
  };
}
