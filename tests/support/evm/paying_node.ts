/** A real EVM node for payments, and services that read it. */
import type { Hex } from "viem";
import { type Anvil, startAnvil } from "./anvil.ts";
import { START, type TestDeps, testDeps } from "../deps.ts";
import { TREASURY } from "./paid_chain.ts";
import { deployUsdc, type TestToken } from "./usdc.ts";

/** The initial balance of each paying account, in base units. */
export const FUNDS = 10_000_000_000n;

/** A node whose blocks the test makes, with a token in place of USDC. */
interface PayingNode extends AsyncDisposable {
  readonly anvil: Anvil;
  readonly usdc: TestToken;
  /** Settings of a service that receives payments there. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a node on which some of its accounts have USDC. */
export async function startPayingNode(payers = 2): Promise<PayingNode> {
  const anvil = await startAnvil({
    automine: false,
    startsAt: Date.parse(START),
  });
  const usdc = await deployUsdc(anvil);
  for (const { address } of anvil.accounts.slice(0, payers)) {
    await usdc.mint(address, FUNDS);
  }
  return {
    anvil,
    usdc,
    settings: {
      TREASURY_ADDRESS: TREASURY,
      USDC_ADDRESS: usdc.address,
      C_CHAIN_RPC_URL: anvil.url,
    },
    [Symbol.asyncDispose]: () => anvil[Symbol.asyncDispose](),
  };
}

/** Opens a service in this process that reads real nodes. */
export function depsOn(
  settings: Readonly<Record<string, string>>,
  kvPath?: string,
): Promise<TestDeps> {
  return testDeps({
    settings,
    fetch: globalThis.fetch,
    ...(kvPath === undefined ? {} : { kvPath }),
  });
}

/** Replaces the newest blocks of a node by empty ones. */
export async function reorganise(
  { client }: Anvil,
  depth: number,
): Promise<void> {
  await client.request({
    // @ts-expect-error viem does not know anvil's own method.
    method: "anvil_reorg",
    params: [depth, []],
  });
}

/** Puts a transaction into a block, with two blocks on top. */
export async function finalise(anvil: Anvil, hash: Hex): Promise<Hex> {
  await anvil.mine(3);
  return hash;
}
