/** The accounts of the demo wallet: their keys are public, so they are worth nothing anywhere. */
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** An account that the demo wallet signs for. */
export interface DemoAccount {
  /** What the wallet calls it. */
  readonly label: string;
  readonly signer: PrivateKeyAccount;
}

/** Simulated USDC that each account starts with, base units. */
export const FAUCET_USDC = 100_000_000_000n;

/** Reads as a key of a demo: "de30" over and over. */
const KEY_STEM = `0x${"de30".repeat(15)}` as const;

/** The accounts, each with another life on the simulated chain. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { label: "Demo account, ordinary", signer: signerOf("0001") },
  { label: "Demo account, very active", signer: signerOf("0004") },
  { label: "Demo account, new", signer: signerOf("0012") },
];

function signerOf(number: string): PrivateKeyAccount {
  return privateKeyToAccount(`${KEY_STEM}${number}`);
}
