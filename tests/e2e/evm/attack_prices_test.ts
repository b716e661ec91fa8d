/** The gas that an attack is priced by, paid on a real EVM node. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { formatEther, type Hex, pad, toHex } from "viem";
import { strategyOf } from "../../../bench/attack/choices.ts";
import { costOf } from "../../../bench/attack/strategy.ts";
import { AFTER } from "../../../bench/attack/targets.ts";
import { COPY_PRICES } from "../../../services/model/s4_2026_3.ts";
import { type Anvil, onNode, startAnvil } from "../../support/evm/anvil.ts";
import { deployUsdc, settle } from "../../support/evm/usdc.ts";

/** Gas of an address and of a slot in the access list of a transaction (EIP-2930). */
const LISTED = { address: 2_400, slot: 1_900 };

/** Sends a transaction of a wallet to itself at 1 nAVAX that burns at least this much gas beyond a transfer. */
async function send(
  anvil: Anvil,
  wallet: Anvil["accounts"][number],
  burned = 0,
): Promise<void> {
  const slots = Math.ceil((burned - LISTED.address) / LISTED.slot);
  const storageKeys = Array.from(
    { length: Math.max(0, slots) },
    (_, nth): Hex => pad(toHex(nth)),
  );
  const hash = await anvil.client.sendTransaction({
    account: wallet,
    chain: anvil.client.chain,
    to: wallet.address,
    type: "eip2930",
    gasPrice: 1_000_000_000n,
    accessList: burned > 0 ? [{ address: wallet.address, storageKeys }] : [],
  });
  await settle(anvil, hash);
}

onNode.test("on a real node, transactions and burned gas cost what a strategy says", async () => {
  await using anvil = await startAnvil();
  const [wallet] = anvil.accounts;
  assert(wallet);
  const balance = () => anvil.client.getBalance({ address: wallet.address });
  // One transaction a week ago, and three on one day, which burn 0.001 AVAX.
  const strategy = strategyOf({ wait: 7, days: 1, txsADay: 3, burn: 0.001 });
  const before = await balance();
  for (const burned of [0, 1_000_000, 0, 0]) {
    await send(anvil, wallet, burned);
  }
  const paid = Number(formatEther(before - await balance()));
  const conditions = { farm: 1, gasPrice: 1, wallets: "none" } as const;
  const said = costOf(strategy, conditions, AFTER) / COPY_PRICES.avax;
  assertAlmostEquals(paid, said, said / 100);
});

onNode.test("on a real node, a sum that every wallet of a farm donates comes back for the gas that a donation is priced by", async () => {
  await using anvil = await startAnvil();
  const usdc = await deployUsdc(anvil);
  const [sink, ...farm] = anvil.accounts.slice(0, 6);
  assert(sink);
  const sum = 1_000_000_000n;
  await usdc.mint(farm[0]!.address, sum);
  let gas = 0n;
  const move = async (from: typeof sink, to: typeof sink) => {
    const hash = await usdc.transfer(from, to.address, sum);
    gas += (await settle(anvil, hash)).gasUsed;
  };
  for (const [nth, wallet] of farm.entries()) {
    await move(wallet, sink);
    await move(sink, farm[nth + 1] ?? farm[0]!);
  }
  assertEquals(await usdc.balanceOf(farm[0]!.address), sum);
  const each = Number(gas) / farm.length;
  // USDC is a proxy, which takes more than this plain token.
  const { gas: most } = COPY_PRICES.donation;
  assert(each > 0.6 * most && each <= most, `${each} of ${most}`);
});
