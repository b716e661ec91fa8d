/** A service on a simulated chain, and owners who buy on it. */
import { assertEquals } from "@std/assert";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Deps } from "../../../services/deps.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { timeAt } from "../../../services/payments/billing.ts";
import type { Answer } from "../callers.ts";
import { START, type TestDeps, testDeps, type TestOptions } from "../deps.ts";
import { keyPair, newOwner } from "../owners.ts";
import { type PaidChain, paidChain, TREASURY } from "./paid_chain.ts";
import type { Answering } from "../upstreams.ts";

/** Returns the instant some days after the start of a test's clock. */
export function after(days: number): string {
  return new Date(Date.parse(START) + days * DAY_MS).toISOString();
}

/** Returns a wallet without a known key. */
export function walletOf(nth: number): string {
  return `0x${String(nth).padStart(40, "0")}`;
}

/** Reads the plan and the credit of a wallet from the store. */
export async function standingOf(
  { store, now }: Deps,
  wallet: string,
): Promise<[plan: string, credit: bigint]> {
  const { times = [], credit = 0n } = await store.plans.find(wallet) ?? {};
  return [timeAt(times, now().getTime())?.plan ?? "free", credit];
}

/** Options of a service with payments. */
interface PaidOptions extends Pick<TestOptions, "kvPath" | "settings"> {
  /** The nodes of the chain, in the order of their URLs. */
  readonly nodes?: (chain: PaidChain) => readonly Answering[];
  /** How far the clock of the chain is behind that of the service. */
  readonly behindMs?: number;
}

/** A service on a simulated chain. */
export interface PaidDeps extends TestDeps {
  readonly chain: PaidChain;
}

/** Opens a service whose nodes serve one chain. */
export async function paidDeps(
  { nodes = (chain) => [chain.node()], behindMs = 0, settings, ...options }:
    PaidOptions = {},
): Promise<PaidDeps> {
  let clock = () => Date.parse(START);
  const chain = paidChain({
    start: clock() - behindMs,
    now: () => clock() - behindMs,
  });
  const answerings = nodes(chain);
  const urls = answerings.map((_, nth) => `http://node${nth}.test/rpc`);
  const deps = await testDeps({
    ...options,
    settings: {
      TREASURY_ADDRESS: TREASURY,
      C_CHAIN_RPC_URL: urls.join(","),
      ...settings,
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      const nth = Number(/^node(\d)/.exec(new URL(request.url).hostname)![1]);
      return await answerings[nth]!(request);
    },
  });
  clock = () => deps.now().getTime();
  return { ...deps, chain };
}

/** Makes a signed-in owner who requests quotes and claims. */
export async function newBuyer(deps: Deps, signer: PrivateKeyAccount) {
  const owner = newOwner(deps, signer);
  await owner.signIn();
  const { call } = owner;

  // deno-lint-ignore no-explicit-any -- tests look into any shape there is.
  async function get200(answering: Promise<Answer>): Promise<any> {
    const { status, body, text } = await answering;
    assertEquals(status, 200, text);
    return body;
  }

  return {
    ...owner,

    /** Requests a quote; asserts that it is returned. */
    quote: (product: string, terms: object = {}) =>
      get200(call("POST", "/quotes", { body: { product, ...terms } })),

    /** Claims a quote and returns the answer. */
    claim: (quoteId: string, txHash?: string): Promise<Answer> =>
      call("POST", "/claims", { body: { quoteId, txHash } }),

    /** Reads the payments and products. */
    payments: () => get200(call("GET", "/payments")),

    /** Reads the plan, its end, and the credit. */
    async standing(): Promise<unknown[]> {
      const body = await get200(call("GET", "/payments"));
      return [body.plan, body.paidUntil, body.credit];
    },
  };
}

/** Makes a buyer on a simulated chain. */
export async function newPayer(deps: PaidDeps, nth = 1) {
  const buyer = await newBuyer(deps, keyPair(nth));

  /** Pays in a transaction of its own, with two blocks on top of it. */
  function pay(amount: bigint): string {
    const hash = deps.chain.send({ from: buyer.wallet, amount });
    deps.chain.mine();
    return hash;
  }

  return {
    ...buyer,
    pay,

    /** Requests a quote, pays its exact amount and claims it. */
    async buy(product: string, terms: object = {}): Promise<Answer> {
      const { quoteId, amount } = await buyer.quote(product, terms);
      return await buyer.claim(quoteId, pay(BigInt(amount)));
    },
  };
}
