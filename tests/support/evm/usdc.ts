/** Tokens on a test node: the one in place of USDC, and similar ones. */
import {
  type Abi,
  type Address,
  erc20Abi,
  type Hex,
  parseAbi,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import testBatchTransfer from "../../../contracts/TestBatchTransfer.json" with {
  type: "json",
};
import testUsdc from "../../../contracts/TestUsdc.json" with { type: "json" };
import type { Anvil } from "./anvil.ts";

/** A token with 6 decimals that anybody may mint. */
export interface TestToken {
  readonly address: Address;

  /** Mints base units for an account, in a block of its own. */
  mint(to: Address, value: bigint): Promise<void>;

  /** Sends a transfer, even one that must fail, and returns its hash. */
  transfer(from: PrivateKeyAccount, to: Address, value: bigint): Promise<Hex>;

  /** Sends several transfers in one transaction and returns its hash. */
  transferAll(
    from: PrivateKeyAccount,
    to: Address,
    values: readonly bigint[],
  ): Promise<Hex>;

  /** Reads the balance of an account, in base units. */
  balanceOf(account: Address): Promise<bigint>;
}

/** Time between two reads of a receipt. */
const POLL_MS = 5;

/** Enough gas for any call here. With a limit, clients do not simulate a call first. */
const GAS = 300_000n;

const MINT = parseAbi(["function mint(address to, uint256 value)"]);
const TRANSFER_ALL = parseAbi([
  "function transferAll(address token, address to, uint256[] values)",
]);

/** Deploys a token from the node's last account. Two tokens differ only in their address. */
export async function deployUsdc(anvil: Anvil): Promise<TestToken> {
  const { client } = anvil;
  const minter = anvil.accounts.at(-1)!;
  const address = await deploy(anvil, testUsdc);
  const batch = await deploy(anvil, testBatchTransfer);
  const token = { address, abi: erc20Abi, gas: GAS };
  return {
    address,
    async mint(to, value) {
      await settle(
        anvil,
        await client.writeContract({
          address,
          abi: MINT,
          functionName: "mint",
          args: [to, value],
          account: minter,
        }),
      );
    },
    transfer: (from, to, value) =>
      client.writeContract({
        ...token,
        functionName: "transfer",
        args: [to, value],
        account: from,
      }),
    async transferAll(from, to, values) {
      const sum = values.reduce((sum, value) => sum + value, 0n);
      await settle(
        anvil,
        await client.writeContract({
          ...token,
          functionName: "approve",
          args: [batch, sum],
          account: from,
        }),
      );
      return await client.writeContract({
        address: batch,
        abi: TRANSFER_ALL,
        functionName: "transferAll",
        args: [address, to, values],
        account: from,
        gas: GAS,
      });
    },
    balanceOf: (account) =>
      client.readContract({
        address,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [account],
      }),
  };
}

/** Deploys a compiled contract from the node's last account, in a block of its own. */
export async function deploy(
  anvil: Anvil,
  { abi, bytecode }: { abi: unknown; bytecode: string },
  args: readonly unknown[] = [],
): Promise<Address> {
  const hash = await anvil.client.deployContract({
    abi: abi as Abi,
    bytecode: bytecode as Hex,
    args,
    account: anvil.accounts.at(-1)!,
  });
  return (await settle(anvil, hash)).contractAddress!;
}

/** Waits until a transaction is in a block; throws if it failed. */
export async function settle(
  { client, automine, mine }: Anvil,
  hash: Hex,
): Promise<TransactionReceipt> {
  if (!automine) await mine(1);
  for (;;) {
    // viem's own wait leaves a timer running when it returns.
    const receipt = await client.getTransactionReceipt({ hash }).catch(
      (error) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      },
    );
    if (receipt?.status === "success") return receipt;
    if (receipt) throw new Error(`Cannot settle ${hash}: it failed`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
