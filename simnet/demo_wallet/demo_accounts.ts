/** The accounts of the demo wallet. Their private keys are public: never send real funds to them. */
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** An account that the demo wallet signs for. */
export interface DemoAccount {
  /** The name that the wallet shows. */
  readonly label: string;
  readonly signer: PrivateKeyAccount;
}

/** Initial simulated USDC of each account, in base units. */
export const FAUCET_USDC = 100_000_000_000n;

/** "de30" repeated, so that a reader recognises a demo key. */
const KEY_STEM = `0x${"de30".repeat(15)}` as const;

/** The accounts, each with a different persona on the simulated chain. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { label: "Demo account, ordinary", signer: signerOf("0001") },
  { label: "Demo account, very active", signer: signerOf("0004") },
  { label: "Demo account, new", signer: signerOf("0012") },
];

function signerOf(number: string): PrivateKeyAccount {
  return privateKeyToAccount(`${KEY_STEM}${number}`);
}
